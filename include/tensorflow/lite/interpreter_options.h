// SPDX-License-Identifier: Apache-2.0
// Experimental switches of an interpreter; a copy is taken where they are applied.
#ifndef TERN_TENSORFLOW_LITE_INTERPRETER_OPTIONS_H_
#define TERN_TENSORFLOW_LITE_INTERPRETER_OPTIONS_H_

namespace tflite {

class InterpreterOptions {
 public:
  // Intermediate tensors keep their own memory and can be read after a run; also turns node fusion
  // of delegates off.
  void SetPreserveAllTensors(bool value = true) { preserve_all_tensors_ = value; }
  bool GetPreserveAllTensors() const { return preserve_all_tensors_; }

  // Frees dynamic intermediates after their last use.
  void SetEnsureDynamicTensorsAreReleased(bool value = true) { release_dynamic_tensors_ = value; }
  bool GetEnsureDynamicTensorsAreReleased() const { return release_dynamic_tensors_; }

  // Takes arena tensors of at least `large_tensors_thresholds_in_bytes` (if positive) from the heap
  // and releases them early. Cannot be undone.
  void OptimizeMemoryForLargeTensors(int large_tensors_thresholds_in_bytes = 1 << 20) {
    if (large_tensors_thresholds_in_bytes > 0) {
      large_tensor_bytes_ = large_tensors_thresholds_in_bytes;
      release_dynamic_tensors_ = true;
    }
  }
  // The threshold in bytes, 0 when off.
  int GetDynamicAllocationForLargeTensors() const { return large_tensor_bytes_; }

  // Delegates get their nodes without reordering of the graph.
  void SetDisableDelegateClustering(bool value = true) { disable_delegate_clustering_ = value; }
  bool GetDisableDelegateClustering() const { return disable_delegate_clustering_; }

  // Casts of constants run once.
  void SetCacheConstantCastOp(bool value) { cache_constant_cast_op_ = value; }
  bool GetCacheConstantCastOp() const { return cache_constant_cast_op_; }

  // AllocateTensors puts the nodes of its decomposition in the place of each composite of
  // StableHLO, and so on inside. A composite stays where its kernel is the application's, where a
  // delegate has taken it or a part of its decomposition, and where tensors are declared with other
  // types or quantization inside than outside.
  void SetShloCompositeInlining(bool value) { shlo_composite_inlining_ = value; }
  bool GetShloCompositeInlining() const { return shlo_composite_inlining_; }

  // Inputs and outputs are named as in the signature.
  void SetUseSignatureTensorNames(bool value) { use_signature_tensor_names_ = value; }
  bool GetUseSignatureTensorNames() const { return use_signature_tensor_names_; }

  // One zero point is kept where all are equal.
  void SetCompressQuantizationZeroPoints(bool value) { compress_zero_points_ = value; }
  bool GetCompressQuantizationZeroPoints() const { return compress_zero_points_; }

  // Every delegated node gets a partition of its own.
  void SetDisableDelegateNodeFusion(bool value) { disable_delegate_node_fusion_ = value; }
  bool GetDisableDelegateNodeFusion() const { return disable_delegate_node_fusion_; }

  // Delegate nodes are profiled as a whole even when the delegate profiles its own operations.
  void SetForceDelegateNodeProfiling(bool value) { force_delegate_node_profiling_ = value; }
  bool GetForceDelegateNodeProfiling() const { return force_delegate_node_profiling_; }

 private:
  bool preserve_all_tensors_ = false;
  bool release_dynamic_tensors_ = false;
  int large_tensor_bytes_ = 0;
  bool disable_delegate_clustering_ = false;
  bool cache_constant_cast_op_ = false;
  bool shlo_composite_inlining_ = false;
  bool use_signature_tensor_names_ = false;
  bool compress_zero_points_ = false;
  bool disable_delegate_node_fusion_ = false;
  bool force_delegate_node_profiling_ = false;
};

}  // namespace tflite

#endif  // TERN_TENSORFLOW_LITE_INTERPRETER_OPTIONS_H_
