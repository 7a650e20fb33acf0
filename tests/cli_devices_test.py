#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`tern devices`: what it reports about this machine, and of one without drivers.   cli_devices_test.py TERN"""
import json
import os
import subprocess
import sys

TERN = sys.argv[1]
MODEL = 'demo/landscape.tflite'
# The loader's older and newer name for the list of drivers.
NO_VULKAN = {'VK_ICD_FILENAMES': '/none', 'VK_DRIVER_FILES': '/none'}


def tern(*args, status=0, **environment):
    run = subprocess.run([TERN, *args], env=os.environ | environment, capture_output=True, text=True, check=False)
    assert run.returncode == status, (args, run)
    return run


def check_here():
    """Every device gives the right numbers; where there is none, packages are named."""
    reported = json.loads(tern('devices', '--json', '-').stdout)
    assert set(reported) == {'cpu', 'devices'} and reported['cpu']['threads'] > 0 and reported['cpu']['instruction_set']
    assert {device['backend'] for device in reported['devices']} == {'opencl', 'gles', 'vulkan'}
    table = tern('devices').stdout
    for device in reported['devices']:
        if 'error' in device:
            assert device['error'] in table and device['packages'] in table, table
        else:
            assert device['self_test'] == 'passed' and device['name'] in table and device['max_buffer_bytes'] > 0, device


def check_without_opencl():
    nothing = {'OCL_ICD_VENDORS': '/none'}
    reported = tern('devices', **nothing).stdout
    assert 'opencl  is not usable: ' in reported and 'pocl-opencl-icd' in reported, reported
    error = tern('run', MODEL, '--engine', 'opencl', status=1, **nothing).stderr
    assert '`tern devices` shows what is here' in error, error


def check_without_vulkan():
    reported = tern('devices', **NO_VULKAN).stdout
    assert 'vulkan  is not usable: ' in reported and 'mesa-vulkan-drivers' in reported, reported
    error = tern('run', MODEL, '--engine', 'vulkan', status=1, **NO_VULKAN).stderr
    assert '`tern devices` shows what is here' in error, error


def check_auto():
    """It is the CPU where no GPU can be opened, and says so."""
    nothing = {'OCL_ICD_VENDORS': '/none', '__EGL_VENDOR_LIBRARY_DIRS': '/none', '__EGL_VENDOR_LIBRARY_FILENAMES': '/none',
               **NO_VULKAN}
    reported = tern('run', MODEL, '--engine', 'auto', **nothing).stdout.splitlines()[0]
    assert reported.startswith('cpu on ') and reported.endswith('; no GPU engine here, `tern devices` tells why'), reported
    row, = json.loads(tern('bench', MODEL, '--engine', 'auto', '--runs', '1', '--json', '-', **nothing).stdout)
    assert row['engine'] == 'auto' and row['ran_on'] == 'cpu', row
    for args in (['run', MODEL, '--engine', 'gpu'], ['diff', MODEL], ['tune', MODEL], ['plan', MODEL, '--engine', 'auto']):
        error = tern(*args, status=1, **nothing).stderr
        assert 'no usable GPU (' in error and '`tern devices`' in error, error


def main():
    check_here()
    check_auto()
    check_without_opencl()
    check_without_vulkan()
    print('devices are told')


if __name__ == '__main__':
    main()
