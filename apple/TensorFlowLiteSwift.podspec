# SPDX-License-Identifier: Apache-2.0
# The Swift API over the pod TensorFlowLiteC. All of it is the module TensorFlowLite; Metal's class is a subspec.
repository = ENV['TERN_REPOSITORY'] || "file://#{File.expand_path('..', __dir__)}"

Pod::Spec.new do |s|
  s.name = 'TensorFlowLiteSwift'
  s.version = '0.1.0'
  s.summary = 'Runs .tflite models: the Swift API of TensorFlow Lite, by Tern'
  s.homepage = repository
  s.license = { :type => 'Apache-2.0', :file => 'LICENSE' }
  s.authors = 'The authors of Tern'
  s.source = { :git => repository, :tag => "v#{s.version}" }
  s.ios.deployment_target = '12.0'
  s.module_name = 'TensorFlowLite'
  s.static_framework = true
  s.swift_versions = ['5.7', '5.8', '5.9', '5.10']
  s.default_subspec = 'Core'

  s.subspec 'Core' do |core|
    core.dependency 'TensorFlowLiteC/Core', s.version.to_s
    core.source_files = [
      'swift/Sources/TensorFlowLite/*.swift',
      'swift/Sources/TensorFlowLiteCSupport/messages.c',
      'swift/Sources/TensorFlowLiteCSupport/include/*.h',
    ]
    core.exclude_files = 'swift/Sources/TensorFlowLite/MetalDelegate.swift'
    # Swift sees the support functions as the module that SwiftPM sees.
    core.preserve_paths = 'swift/Sources/TensorFlowLiteCSupport/include/module.modulemap'
    core.private_header_files = 'swift/Sources/TensorFlowLiteCSupport/include/*.h'
    core.pod_target_xcconfig = {
      'SWIFT_INCLUDE_PATHS' => '"${PODS_TARGET_SRCROOT}/swift/Sources/TensorFlowLiteCSupport/include"',
    }
    core.resource_bundles = { 'TensorFlowLiteSwift' => ['apple/PrivacyInfo.xcprivacy'] }
  end

  s.subspec 'Metal' do |metal|
    metal.dependency 'TensorFlowLiteSwift/Core'
    metal.dependency 'TensorFlowLiteC/Metal', s.version.to_s
    metal.source_files = [
      'swift/Sources/TensorFlowLite/MetalDelegate.swift',
      'swift/Sources/TensorFlowLiteCSupport/metal.c',
    ]
  end
end
