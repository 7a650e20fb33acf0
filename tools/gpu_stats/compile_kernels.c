// SPDX-License-Identifier: Apache-2.0
// Compiles kernels of OpenCL C with the first device that OpenCL finds. Nothing is launched: this
// driver compiles for the GPU when it builds a program, and its listing says the rest. Lines of
// fields between tabs, as those of compile_shaders.c:
//   device   NAME      VERSION
//   listed   FILE
//   refused  FILE      why
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernel_files.h"

static cl_device_id FirstDevice(void) {
  cl_platform_id platforms[8];
  cl_uint platform_count = 0;
  if (clGetPlatformIDs(8, platforms, &platform_count) != CL_SUCCESS) Stop("no OpenCL");
  for (cl_uint i = 0; i < platform_count && i < 8; ++i) {
    cl_device_id device = NULL;
    cl_uint count = 0;
    const cl_int code = clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, &count);
    if (code == CL_SUCCESS && count > 0) return device;
  }
  Stop("no device");
  return NULL;
}

static void PrintDevice(cl_device_id device) {
  char name[256] = "", version[256] = "";
  clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof(name) - 1, name, NULL);
  clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof(version) - 1, version, NULL);
  printf("device\t%s\tMesa %s\n", name, version);
  fflush(stdout);
}

static void CompileOne(cl_context context, cl_device_id device, const char* path) {
  Begin(path);
  char* text = ReadFile(path);
  const char* source = text;
  const cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, NULL);
  if (program == NULL) Stop("no program");
  if (clBuildProgram(program, 1, &device, "-cl-std=CL1.2 -w", NULL, NULL) == CL_SUCCESS) {
    printf("listed\t%s\n", path);
  } else {
    char log[4096] = "";
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log) - 1, log, NULL);
    for (char* c = log; *c != '\0'; ++c) {
      if (*c == '\t' || *c == '\n' || *c == '\r') *c = ' ';
    }
    printf("refused\t%s\t%s\n", path, log);
  }
  fflush(stdout);
  clReleaseProgram(program);
  free(text);
}

int main(int argc, char** argv) {
  cl_device_id device = FirstDevice();
  PrintDevice(device);
  const cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  if (context == NULL) Stop("no context");
  for (int i = 1; i < argc; ++i) CompileOne(context, device, argv[i]);
  return 0;
}
