// SPDX-License-Identifier: Apache-2.0
// Spectra of a sound that comes piece by piece: of each window of samples the discrete Fourier
// transform over the next power of two, half of it and one.
#ifndef TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_SPECTROGRAM_H_
#define TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_SPECTROGRAM_H_

#include <cmath>
#include <complex>
#include <cstddef>
#include <utility>
#include <vector>

namespace tflite {
namespace internal {

class Spectrogram {
 public:
  // A periodic Hann window of so many samples, a window every `step_length` samples. False for
  // fewer than 2 samples or a step below 1.
  bool Initialize(int window_length, int step_length) {
    std::vector<double> window;
    for (int i = 0; i < window_length; ++i) {
      window.push_back(0.5 - 0.5 * std::cos(2 * kPi * i / window_length));
    }
    return Initialize(window, step_length);
  }
  bool Initialize(const std::vector<double>& window, int step_length) {
    window_ = window;
    step_length_ = step_length;
    samples_.clear();
    skip_ = 0;
    size_ = 1;
    while (size_ < window_.size()) size_ *= 2;
    initialized_ = window_.size() > 1 && step_length > 0;
    return initialized_;
  }

  // The spectra of all windows that are full now; samples that are left wait for the next call.
  // False unless Initialize succeeded.
  template <class InputSample, class OutputSample>
  bool ComputeComplexSpectrogram(const std::vector<InputSample>& input,
                                 std::vector<std::vector<std::complex<OutputSample>>>* output) {
    return ForEachSpectrum(input, output, [](const std::complex<double>& value) {
      return std::complex<OutputSample>(static_cast<OutputSample>(value.real()),
                                        static_cast<OutputSample>(value.imag()));
    });
  }
  // The same, of each number the square of its magnitude.
  template <class InputSample, class OutputSample>
  bool ComputeSquaredMagnitudeSpectrogram(const std::vector<InputSample>& input,
                                          std::vector<std::vector<OutputSample>>* output) {
    return ForEachSpectrum(input, output, [](const std::complex<double>& value) {
      return static_cast<OutputSample>(std::norm(value));
    });
  }

  const std::vector<double>& GetWindow() const { return window_; }
  int output_frequency_channels() const { return static_cast<int>(size_ / 2 + 1); }

 private:
  static constexpr double kPi = 3.14159265358979323846;

  template <class InputSample, class Output, class Convert>
  bool ForEachSpectrum(const std::vector<InputSample>& input,
                       std::vector<std::vector<Output>>* output, const Convert& convert) {
    output->clear();
    if (!initialized_) return false;
    for (const InputSample& sample : input) {
      if (skip_ > 0) {  // a step may be longer than a window
        --skip_;
        continue;
      }
      samples_.push_back(static_cast<double>(sample));
      if (samples_.size() < window_.size()) continue;
      output->emplace_back();
      for (const std::complex<double>& value : Spectrum()) {
        output->back().push_back(convert(value));
      }
      const auto step = static_cast<size_t>(step_length_);
      const size_t gone = step < samples_.size() ? step : samples_.size();
      skip_ = step - gone;
      samples_.erase(samples_.begin(), samples_.begin() + static_cast<std::ptrdiff_t>(gone));
    }
    return true;
  }

  std::vector<std::complex<double>> Spectrum() const {
    std::vector<std::complex<double>> values(size_);
    for (size_t i = 0; i < window_.size(); ++i) values[i] = samples_[i] * window_[i];
    Transform(&values);
    values.resize(size_ / 2 + 1);
    return values;
  }

  // In place, of a power of two numbers: in the order of reversed bits, then doubling parts.
  static void Transform(std::vector<std::complex<double>>* values) {
    std::vector<std::complex<double>>& v = *values;
    const size_t count = v.size();
    for (size_t i = 1, reversed = 0; i < count; ++i) {
      size_t bit = count / 2;
      for (; (reversed & bit) != 0; bit /= 2) reversed ^= bit;
      reversed ^= bit;
      if (i < reversed) std::swap(v[i], v[reversed]);
    }
    for (size_t half = 1; half < count; half *= 2) {
      for (size_t k = 0; k < half; ++k) {
        const std::complex<double> turn =
            std::polar(1.0, -kPi * static_cast<double>(k) / static_cast<double>(half));
        for (size_t i = k; i < count; i += 2 * half) {
          const std::complex<double> odd = v[i + half] * turn;
          v[i + half] = v[i] - odd;
          v[i] += odd;
        }
      }
    }
  }

  bool initialized_ = false;
  int step_length_ = 0;
  size_t size_ = 1;  // of the transform
  size_t skip_ = 0;  // samples that belong to no window
  std::vector<double> window_;
  std::vector<double> samples_;
};

}  // namespace internal
}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_KERNELS_INTERNAL_SPECTROGRAM_H_
