// SPDX-License-Identifier: Apache-2.0
// Names, defaults and log labels are those that scripts around the benchmark tool know.
#include "benchmark_model/options.h"

#include "flags/delegates.h"

namespace tern::tools {

std::vector<Flag> BenchmarkFlags() {
  using T = FlagType;
  std::vector<Flag> flags = {
      {"verbose", T::kBool, "false", "Log parameter values verbosely",
       "log the flags that were not given, too", true},
      {"num_runs", T::kInt, "50", "Min num runs", "at least so many runs, see min_secs, max_secs"},
      {"min_secs", T::kFloat, "1", "Min runs duration (seconds)", "go on for at least so long"},
      {"max_secs", T::kFloat, "150", "Max runs duration (seconds)",
       "begin no run after so long, even if there were fewer than num_runs"},
      {"run_delay", T::kFloat, "-1", "Inter-run delay (seconds)", "seconds between runs"},
      {"run_frequency", T::kFloat, "-1", "Number of prorated runs per second",
       "runs per second, in place of run_delay; late runs begin at once"},
      {"num_threads", T::kInt, "-1", "Num threads", "threads of the CPU; -1: the default"},
      {"use_caching", T::kBool, "false", "Use caching",
       "taken, without effect: packed weights are always kept"},
      {"benchmark_name", T::kText, "", "Benchmark name", "a name, for the log"},
      {"output_prefix", T::kText, "", "Output prefix", "a prefix, for the log"},
      {"warmup_runs", T::kInt, "1", "Min warmup runs",
       "at least so many runs before those that count, see warmup_min_secs"},
      {"warmup_min_secs", T::kFloat, "0.5", "Min warmup runs duration (seconds)",
       "warm up for at least so long"},
      {"dry_run", T::kBool, "false", "Run w/o invoking kernels", "load and allocate, run nothing"},
      {"report_peak_memory_footprint", T::kBool, "false", "Report the peak memory footprint",
       "look at the footprint now and then, in a thread of its own"},
      {"memory_footprint_check_interval_ms", T::kInt, "50", "Memory footprint check interval (ms)",
       "how often, with report_peak_memory_footprint"},
      {"gpu_invoke_loop_times", T::kInt, "1", nullptr, "taken, without effect"},
      {"graph", T::kText, "", "Graph", "the .tflite file", true},
      {"signature_to_run_for", T::kText, "", "Signature to run",
       "run this signature; needed where the model has several", true},
      {"list_signatures", T::kBool, "false", "List signatures from the provided model",
       "print the signatures, run nothing"},
      {"input_layer", T::kText, "", "Input layers", "names of all inputs, a,b"},
      {"input_layer_shape", T::kText, "", "Input shapes", "their shapes, 1,224,224,3:1,20"},
      {"input_layer_value_range", T::kText, "", "Input value ranges",
       "smallest and largest random number by input, a,0,255:b,1,2"},
      {"input_layer_value_files", T::kText, "", "Input value files",
       "files with the elements by input, a:file1,b:file2; :: is a colon in a name. Strings end "
       "with a zero byte"},
      {"allow_fp16", T::kBool, "false", "Allow fp16", "permit half precision on the CPU"},
      {"require_full_delegation", T::kBool, "false", "Require full delegation",
       "fail unless one delegate takes the whole graph"},
      {"enable_op_profiling", T::kBool, "false", "Enable op profiling", "time every node"},
      {"op_profiling_output_mode", T::kText, "stdout", "Op profiling output mode.",
       "stdout, csv or proto"},
      {"op_profiling_output_file", T::kText, "", "Op profiling output file.",
       "where the times of nodes go; standard output unless given"},
      {"max_profiling_buffer_entries", T::kInt, "1024", "Max initial profiling buffer entries",
       "events kept of a run; raised where the model has more nodes"},
      {"allow_dynamic_profiling_buffer_increase", T::kBool, "false",
       "Allow dynamic increase on profiling buffer entries", "keep more events where needed"},
      {"profiling_output_csv_file", T::kText, "", "CSV File to export profiling data to",
       "the same as op_profiling_output_mode=csv with op_profiling_output_file"},
      {"export_model_runtime_info", T::kBool, "false", "Enable Model Runtime Info Export",
       "write the graph as it runs, with model_runtime_info_output_file"},
      {"model_runtime_info_output_file", T::kText, "", "Proto File to export model runtime info to",
       "where it goes, a protocol buffer"},
      {"print_preinvoke_state", T::kBool, "false", "Print pre-invoke interpreter state",
       "print tensors and nodes before the runs"},
      {"print_postinvoke_state", T::kBool, "false", "Print post-invoke interpreter state",
       "print tensors and nodes after the runs"},
      {"release_dynamic_tensors", T::kBool, "false", "Release dynamic tensor memory",
       "free dynamic tensors after their last use"},
      {"optimize_memory_for_large_tensors", T::kInt, "0", "Optimize memory usage for large tensors",
       "take tensors of so many bytes out of the arena; 0: none"},
      {"disable_delegate_clustering", T::kBool, "false", "Disable delegate clustering",
       "keep the order of nodes for delegates"},
      {"enable_builtin_cast_constant_cache", T::kBool, "false", "Constant CAST output cache",
       "cast constants once"},
      {"output_filepath", T::kText, "", "File path to export outputs layer to",
       "where the elements of all outputs go, one after the other"},
      {"output_proto_filepath", T::kText, "", "File path to export outputs layer as tf example to",
       "where the outputs go as a tensorflow.Example"},
      {"tensor_name_display_length", T::kInt, "25", "Tensor name display length",
       "longest name in print_*_state"},
      {"tensor_type_display_length", T::kInt, "15", "Tensor type display length",
       "longest type in print_*_state"},
      {"alloc_type_display_length", T::kInt, "18", "Tensor allocation type display length",
       "longest kind of memory in print_*_state"},
  };
  for (const Flag& flag : DelegateFlags()) flags.push_back(flag);
  return flags;
}

}  // namespace tern::tools
