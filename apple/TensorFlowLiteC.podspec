# SPDX-License-Identifier: Apache-2.0
# The C API, and the functions of the Metal delegate: XCFrameworks that apple/xcframework.py lays out, in one archive.
# TERN_ARCHIVES is the address of the folder of archives; unless it is set, that of this checkout's build folder.
checkout = File.expand_path('..', __dir__)
archives = ENV['TERN_ARCHIVES'] || "file://#{checkout}/build/apple"
repository = ENV['TERN_REPOSITORY'] || "file://#{checkout}"

Pod::Spec.new do |s|
  s.name = 'TensorFlowLiteC'
  s.version = '0.1.0'
  s.summary = 'Runs .tflite models: the C API of TensorFlow Lite, by Tern'
  s.homepage = repository
  s.license = { :type => 'Apache-2.0', :file => 'LICENSE' }
  s.authors = 'The authors of Tern'
  s.source = { :http => "#{archives}/TensorFlowLiteC-#{s.version}.zip" }
  s.ios.deployment_target = '12.0'
  s.library = 'c++'
  s.static_framework = true
  s.default_subspec = 'Core'

  s.subspec 'Core' do |core|
    core.vendored_frameworks = 'TensorFlowLiteC.xcframework'
    core.resource_bundles = { 'TensorFlowLiteC' => ['apple/PrivacyInfo.xcprivacy'] }
  end

  s.subspec 'Metal' do |metal|
    metal.dependency 'TensorFlowLiteC/Core'
    metal.vendored_frameworks = 'TensorFlowLiteCMetal.xcframework'
    metal.frameworks = ['Metal', 'Foundation']
  end
end
