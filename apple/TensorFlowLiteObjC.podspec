# SPDX-License-Identifier: Apache-2.0
# The Objective-C API over the pod TensorFlowLiteC. All of it is the module TFLTensorFlowLite; Metal's class is a subspec.
repository = ENV['TERN_REPOSITORY'] || "file://#{File.expand_path('..', __dir__)}"

Pod::Spec.new do |s|
  s.name = 'TensorFlowLiteObjC'
  s.version = '0.1.0'
  s.summary = 'Runs .tflite models: the Objective-C API of TensorFlow Lite, by Tern'
  s.homepage = repository
  s.license = { :type => 'Apache-2.0', :file => 'LICENSE' }
  s.authors = 'The authors of Tern'
  s.source = { :git => repository, :tag => "v#{s.version}" }
  s.ios.deployment_target = '12.0'
  s.module_name = 'TFLTensorFlowLite'
  s.static_framework = true
  # The sources count references themselves, so that compilers without ARC build them, too.
  s.requires_arc = false
  s.default_subspec = 'Core'

  s.subspec 'Core' do |core|
    core.dependency 'TensorFlowLiteC/Core', s.version.to_s
    core.source_files = ['objc/apis/*.h', 'objc/sources/*.{h,m}']
    core.public_header_files = 'objc/apis/*.h'
    core.exclude_files = ['objc/apis/TFLMetalDelegate.h', 'objc/sources/TFLMetalDelegate.m']
    core.resource_bundles = { 'TensorFlowLiteObjC' => ['apple/PrivacyInfo.xcprivacy'] }
  end

  s.subspec 'Metal' do |metal|
    metal.dependency 'TensorFlowLiteObjC/Core'
    metal.dependency 'TensorFlowLiteC/Metal', s.version.to_s
    metal.source_files = ['objc/apis/TFLMetalDelegate.h', 'objc/sources/TFLMetalDelegate.m']
    metal.public_header_files = 'objc/apis/TFLMetalDelegate.h'
  end
end
