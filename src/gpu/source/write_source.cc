// SPDX-License-Identifier: Apache-2.0
// The text depends on the kernel, its defines, layouts, element types and the form of the epilogue,
// never on sizes or names of tensors: nodes of equal form share a program.
#include "gpu/source/write_source.h"

#include <algorithm>
#include <bit>

#include "base/status.h"
#include "gpu/desc/kernel_text.h"
#include "gpu/source/accessors.h"
#include "gpu/source/expand.h"
#include "gpu/source/functions.h"

namespace tern::gpu {
namespace {

// The function that requantizes; empty where the bias is added to reals.
std::string FunctionOf(Finish finish) {
  switch (finish) {
    case Finish::kRequantize:
      return "requantize";
    case Finish::kRequantizeOnce:
      return "requantize_once";
    case Finish::kRequantizeFinely:
      return "requantize_finely";
    case Finish::kRequantizeLarge:
      return "requantize_large";
    case Finish::kReal:
      break;
  }
  return "";
}

class SourceWriter {
 public:
  SourceWriter(const Plan& plan, const Dispatch& dispatch, const DeviceInfo& device,
               const Language& language)
      : plan_(plan),
        dispatch_(dispatch),
        language_(language),
        width_(plan.tuning.slice_width),
        accessors_(language, width_) {
    source_.signature.slice_width = width_;
    source_.signature.fma = device.fma;
    source_.signature.half_vectors = device.half_types;
    source_.signature.int_sums = dispatch.sums == Number::kInt;
    source_.signature.half_sums = dispatch.half_sums;
    source_.signature.locals = dispatch.locals;
    source_.signature.group = dispatch.group;
  }

  absl::StatusOr<Source> Run() {
    if (!HasKernel(dispatch_.kernel)) return Invalid(dispatch_.label, ": no such kernel");
    kernel_ = KernelName(dispatch_.kernel);
    TERN_RETURN_IF_ERROR(WithPrefix(ExpandBody(), dispatch_.label));
    const absl::Status status = Write();
    if (!status.ok()) return WithPrefix(status, StrCat(dispatch_.label, ": ", kernel_, ".kernel"));
    return std::move(source_);
  }

 private:
  absl::Status Write();
  absl::Status ExpandBody();
  absl::Status AddBindings();
  absl::Status AddOperands();
  absl::Status ReadLanes();
  absl::Status CheckWords() const;
  absl::Status PrintAccessors();
  void PrintFinish();
  absl::StatusOr<std::vector<StepText>> Steps();
  // Passes the numbers of a step that its expression uses as uniforms.
  void AddNumbers(const EpilogueOp& step, const std::string& prefix, const Words& words,
                  StepText& text);
  void AddUniforms();
  absl::Status Assemble();

  // The tensor of a binding, viewed under a box; null for its own.
  absl::StatusOr<TensorText> AddTensor(const Binding& binding, const Box* box);
  const Binding* Written() const;
  // Returns the number type that the kernel passes to the epilogue; without one, that of `dst`.
  Number GivenTo(const Binding& dst) const;
  bool Uses(const std::string& word) const { return used_.count(word) != 0; }
  bool Passed(const std::string& name) const {
    return Uses(name) || accessors_.names().count(name) != 0;
  }

  const Plan& plan_;
  const Dispatch& dispatch_;
  const Language& language_;
  const int width_;
  std::string kernel_;
  std::string body_;  // expanded
  Words used_;        // identifiers of the body
  Words words_;       // and of the fused steps
  std::vector<TensorText> tensors_;
  std::vector<Access> access_;  // parallel to tensors_
  std::vector<TensorText> operands_;
  LanePolicy lanes_;
  std::optional<BufferParam> packed_;
  Accessors accessors_;
  std::vector<Uniform> step_uniforms_;
  Source source_;
};

absl::Status SourceWriter::Write() {
  TERN_RETURN_IF_ERROR(AddBindings());
  TERN_RETURN_IF_ERROR(ReadLanes());
  TERN_RETURN_IF_ERROR(AddOperands());
  TERN_RETURN_IF_ERROR(CheckWords());
  TERN_RETURN_IF_ERROR(PrintAccessors());
  AddUniforms();
  return Assemble();
}

absl::Status SourceWriter::ExpandBody() {
  std::vector<Define> names = dispatch_.defines;
  names.push_back({"W", width_});
  absl::StatusOr<std::string> text = Expand(kernel_, KernelText(dispatch_.kernel), names);
  if (!text.ok()) return text.status();
  body_ = *std::move(text);
  used_ = Identifiers(body_);
  words_ = used_;
  source_.has_barrier = Uses("BARRIER");
  return absl::OkStatus();
}

absl::StatusOr<TensorText> SourceWriter::AddTensor(const Binding& binding, const Box* box) {
  const std::string& name = binding.name;
  const TensorId tensor = binding.tensor;
  if (tensor < 0 || tensor >= static_cast<TensorId>(plan_.tensors.size()))
    return Invalid(name, " names no tensor");
  for (const BufferParam& known : source_.signature.buffers) {
    if (known.name == name) return Invalid("the name ", name, " is bound twice");
  }
  TensorDesc desc = plan_.tensors[tensor].desc;
  if (box != nullptr) desc.box = *box;
  // Slices of such rows start anywhere, so the accessors take them apart.
  const bool single = desc.layout == Layout::kRows && desc.box.c % width_ != 0;
  if ((IsPacked(desc.element) || HoldsElements(desc.element)) && desc.layout == Layout::kRows)
    return Invalid(name, " is rows of elements");
  if (desc.element == Element::kNibble && desc.layout != Layout::kVector)
    return Invalid(name, " is no vector of nibbles");
  const bool written = binding.access != Access::kRead;
  if (binding.texels && (written || single)) return Invalid(name, " is no tensor of texels");
  const BufferParam buffer = {name, desc.element, written, single, binding.texels};
  source_.signature.uses_half |= buffer.element == Element::kFloat16;
  source_.signature.buffers.push_back(buffer);
  source_.buffers.push_back(tensor);
  return TensorText{buffer, desc};
}

absl::Status SourceWriter::AddBindings() {
  for (const Binding& binding : dispatch_.bindings) {
    if (binding.role == BindingRole::kEpilogue) continue;
    const bool is_operand = binding.role == BindingRole::kOperand;
    TERN_ASSIGN_OR_RETURN(TensorText tensor,
                          AddTensor(binding, is_operand ? &binding.box : nullptr));
    if (!is_operand) {
      (binding.role == BindingRole::kConstants ? lanes_.constants : packed_) = tensor.buffer;
      continue;
    }
    tensor.readable = binding.access != Access::kWrite;
    tensor.elements = binding.elements;
    tensor.as_sums = dispatch_.half_sums && binding.access == Access::kRead;
    tensors_.push_back(std::move(tensor));
    access_.push_back(binding.access);
  }
  return absl::OkStatus();
}

absl::Status SourceWriter::ReadLanes() {
  lanes_.from_memory = plan_.tuning.lanes_from_memory;
  for (const Define& define : dispatch_.defines) {
    if (define.name == "LANES") lanes_.lanes = define.value;
    if (define.name == "LANE_LOOP") lanes_.loop = define.value != 0;
  }
  for (const ConstantView& view : dispatch_.views) {
    if (!(view.packed ? packed_ : lanes_.constants))
      return Invalid(view.name, " has no constants behind it");
  }
  return absl::OkStatus();
}

absl::Status SourceWriter::AddOperands() {
  for (const EpilogueOp& step : dispatch_.epilogue) {
    if (!step.operand) continue;
    const auto place = static_cast<size_t>(*step.operand);
    if (place >= dispatch_.bindings.size()) return Invalid("a fused operand names no tensor");
    const Binding& binding = dispatch_.bindings[place];
    TERN_ASSIGN_OR_RETURN(TensorText tensor, AddTensor(binding, &binding.box));
    if (tensor.desc.layout == Layout::kVector) return Invalid("a fused operand is a vector");
    tensor.buffer.single = tensor.buffer.single || step.lookup;
    source_.signature.buffers.back().single = tensor.buffer.single;
    operands_.push_back(std::move(tensor));
  }
  return absl::OkStatus();
}

const Binding* SourceWriter::Written() const {
  for (const Binding& binding : dispatch_.bindings) {
    if (binding.access != Access::kRead) return &binding;
  }
  return nullptr;
}

Number SourceWriter::GivenTo(const Binding& dst) const {
  if (!dispatch_.epilogue.empty()) return dispatch_.epilogue.front().from;
  return NumberOf(plan_.tensors[dst.tensor].desc.element);
}

// A tensor word whose tensor is not bound, or that the binding does not allow.
absl::Status SourceWriter::CheckWords() const {
  Words known;
  for (const TensorText& tensor : tensors_) known.insert(tensor.buffer.name);
  for (const ConstantView& view : dispatch_.views) known.insert(view.name);
  for (const std::string& word : used_) {
    for (const std::string_view suffix :
         {"_read", "_read_zero", "_open", "_open_zero", "_open_at", "_open_at_zero", "_cursor",
          "_offset", "_write", "_finish", "_read_at", "_near", "_near_zero"}) {
      if (word.size() <= suffix.size() || !std::string_view(word).ends_with(suffix)) continue;
      const std::string_view name = std::string_view(word).substr(0, word.size() - suffix.size());
      if (known.count(name) == 0) return Invalid(word, ": no tensor is bound as ", name);
    }
  }
  const Binding* dst = Written();
  if (dst == nullptr) return Invalid("no tensor is written");
  if (!dispatch_.epilogue.empty() && !Uses(dst->name + "_write"))
    return Invalid(dst->name, "_write does not occur, fused steps would be lost");
  for (const TensorText& tensor : tensors_) {
    if (!tensor.buffer.written && Uses(tensor.buffer.name + "_write"))
      return Invalid(tensor.buffer.name, "_write: ", tensor.buffer.name, " is only read");
  }
  return absl::OkStatus();
}

void SourceWriter::AddNumbers(const EpilogueOp& step, const std::string& prefix, const Words& words,
                              StepText& text) {
  const std::pair<const char*, float> reals[] = {{"a", step.a}, {"b", step.b}, {"c", step.c}};
  for (const auto& [word, value] : reals) {
    if (words.count(word) == 0) continue;
    text.numbers.push_back({"real", word, prefix + word});
    step_uniforms_.push_back({.name = prefix + word, .is_float = true, .f = value});
  }
  for (size_t n = 0; n < kMaxInts; ++n) {
    const std::string word = StrCat("i", n);
    if (words.count(word) == 0) continue;
    text.numbers.push_back({"int", word, prefix + word});
    step_uniforms_.push_back({.name = prefix + word, .i = n < step.ints.size() ? step.ints[n] : 0});
  }
}

absl::StatusOr<std::vector<StepText>> SourceWriter::Steps() {
  std::vector<StepText> steps;
  const Binding* dst = Written();
  const Box& to = dst->box;
  size_t next = 0;
  Number value = GivenTo(*dst);
  for (size_t i = 0; i < dispatch_.epilogue.size(); ++i) {
    const EpilogueOp& step = dispatch_.epilogue[i];
    const Words words = Identifiers(step.expression);
    words_.insert(words.begin(), words.end());
    StepText text = {.expression = step.expression,
                     .swapped = step.swapped,
                     .from = step.from,
                     .to = step.to,
                     .optional = step.optional,
                     .lookup = step.lookup};
    if (step.lookup != (words.count(kLookup) != 0))
      return Invalid("fused step '", step.expression, "' and its operand do not fit");
    if (step.from != value)
      return Invalid("fused step '", step.expression, "' has a value of another type");
    if (step.optional && step.from != step.to)
      return Invalid("fused step '", step.expression, "' is optional and changes the type");
    value = step.to;
    if (step.optional || words.count(kChoice) != 0) text.choice = StrCat("step", i, "_choice");
    AddNumbers(step, StrCat("step", i, "_"), words, text);
    if (!text.choice.empty()) step_uniforms_.push_back({.name = text.choice, .i = step.choice});
    if (step.operand) {
      const TensorText& tensor = operands_[next++];
      const Box& from = tensor.desc.box;
      if (!step.lookup && !step.FitsTo(from, to)) {
        return Invalid("fused operand ", ToString(from), " does not broadcast to ", ToString(to));
      }
      if (step.lookup && (from.elements() != from.c || tensor.desc.layout != Layout::kSlices))
        return Invalid("fused step '", step.expression, "' looks up what is no row");
      if (plan_.tensors[dst->tensor].desc.layout == Layout::kVector)
        return Invalid("a written vector takes no fused operands");
      text.operand = OperandText{.name = tensor.buffer.name,
                                 .same_x = from.w == to.w,
                                 .same_y = from.h == to.h,
                                 .same_b = from.b == to.b,
                                 .splat_channel = from.c != to.c && !step.zeros_behind,
                                 .zeros_behind = step.zeros_behind,
                                 .number = tensor.number()};
    } else if (words.count("w") != 0) {
      return Invalid("fused step '", step.expression, "' has no operand for w");
    }
    steps.push_back(std::move(text));
  }
  if (value != NumberOf(plan_.tensors[dst->tensor].desc.element))
    return Invalid(dst->name, " holds another type than what is written");
  return steps;
}

void SourceWriter::PrintFinish() {
  const auto has = [&](std::string_view name) {
    return std::any_of(dispatch_.views.begin(), dispatch_.views.end(),
                       [&](const ConstantView& view) { return view.name == name; });
  };
  const FinishText finish = {FunctionOf(dispatch_.finish), dispatch_.sums, has(kScale),
                             has(kBiasRest), has(kFractionHigh)};
  for (const ConstantView& view : dispatch_.views) {
    if (!Uses(view.name + "_finish")) continue;
    accessors_.AddFinish(view.name, finish);
    words_.insert(finish.function);
  }
}

absl::Status SourceWriter::PrintAccessors() {
  for (const TensorText& tensor : tensors_) {
    const bool first = tensor.buffer.name == Written()->name;
    accessors_.AddTypes(tensor.buffer.name, first ? GivenTo(*Written()) : tensor.number(), used_);
    TERN_RETURN_IF_ERROR(accessors_.AddReads(tensor, used_, lanes_));
  }
  for (const ConstantView& view : dispatch_.views) {
    const bool finishes = std::find(std::begin(kFinishVectors), std::end(kFinishVectors),
                                    view.name) != std::end(kFinishVectors);
    const bool by_cursor = Uses(view.name + "_cursor");
    if (by_cursor || Uses(view.name + "_read") || Uses(view.name + "_finish") || finishes) {
      accessors_.AddVector(view.name, view.packed ? *packed_ : *lanes_.constants,
                           view.name + "_base", by_cursor,
                           dispatch_.half_sums && (by_cursor || Uses(view.name + "_read")));
    }
  }
  PrintFinish();
  TERN_ASSIGN_OR_RETURN(const std::vector<StepText> steps, Steps());
  size_t next = 0;
  for (const StepText& step : steps) {
    if (!step.operand) continue;
    const char* word = step.lookup ? "_lookup" : step.operand->splat_channel ? "_channel" : "_read";
    TERN_RETURN_IF_ERROR(
        accessors_.AddReads(operands_[next++], Words{step.operand->name + word}, LanePolicy{}));
  }
  const Binding* dst = Written();
  for (const TensorText& tensor : tensors_) {
    if (!Uses(tensor.buffer.name + "_write")) continue;
    const bool first = tensor.buffer.name == dst->name;
    accessors_.AddWrite(tensor, first ? GivenTo(*dst) : tensor.number(),
                        first ? steps : std::vector<StepText>());
  }
  return absl::OkStatus();
}

void SourceWriter::AddUniforms() {
  auto add = [&](const Uniform& uniform) {
    if (!Passed(uniform.name)) return;
    source_.signature.uniforms.push_back(uniform);
    source_.uniform_words.push_back(uniform.is_float ? std::bit_cast<uint32_t>(uniform.f)
                                                     : static_cast<uint32_t>(uniform.i));
  };
  for (const Uniform& uniform : dispatch_.uniforms) add(uniform);
  for (const std::vector<TensorText>* list : {&tensors_, &operands_}) {
    for (const TensorText& tensor : *list) {
      const Box& box = tensor.desc.box;
      const int sizes[] = {box.w, box.h, box.slices(width_), box.b, box.c};
      for (size_t i = 0; i < std::size(sizes); ++i)
        add({.name = StrCat(tensor.buffer.name, "_", kSizeWords[i]), .i = sizes[i]});
    }
  }
  for (size_t i = 0; i < source_.buffers.size(); ++i) {
    const PlanTensor& tensor = plan_.tensors[source_.buffers[i]];
    if (!IsPacked(tensor.desc.element) && !HoldsElements(tensor.desc.element)) continue;
    const float numbers[] = {tensor.scale, static_cast<float>(tensor.zero), 1 / tensor.scale};
    for (size_t w = 0; w < std::size(kElementWords); ++w) {
      add({.name = StrCat(source_.signature.buffers[i].name, "_", kElementWords[w]),
           .is_float = true,
           .f = numbers[w]});
    }
  }
  for (const ConstantView& view : dispatch_.views)
    add({.name = view.name + "_base", .i = view.first});
  for (const Uniform& uniform : step_uniforms_) add(uniform);
}

// GPUs have no division of ints: it takes 30 to 60 instructions.
std::string SplitZ(bool one_batch) {
  if (one_batch) return "#define INNER_Z(N) GLOBAL_ID_Z\n#define OUTER_Z(N) 0\n";
  return "#define INNER_Z(N) (GLOBAL_ID_Z % (N))\n#define OUTER_Z(N) (GLOBAL_ID_Z / (N))\n";
}

absl::Status SourceWriter::Assemble() {
  const std::vector<size_t> heads = FindWord(body_, "KERNEL");
  if (heads.size() != 1) return Invalid("KERNEL { must occur once (", heads.size(), ")");
  const size_t word = heads[0];
  const size_t brace = body_.find_first_not_of(" \t\n", word + std::string_view("KERNEL").size());
  if (brace == std::string::npos || body_[brace] != '{')
    return Invalid("{ is missing after KERNEL");
  const Signature& signature = source_.signature;
  std::string text = StrCat(language_.Prelude(signature), "#define W ", width_, "\n");
  for (const Define& define : dispatch_.defines) {
    if (Uses(define.name)) text += StrCat("#define ", define.name, " (", define.value, ")\n");
  }
  if (Uses("INNER_Z")) text += SplitZ(Written()->box.b == 1);
  text += SuffixReals(FunctionsFor(words_, language_));
  text += language_.Declarations(signature);
  text += SuffixReals(accessors_.text());
  text += SuffixReals(body_.substr(0, word));
  text += language_.EntryPoint(signature);
  text += SuffixReals(body_.substr(brace + 1));
  source_.text = std::move(text);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Source> WriteSource(const Plan& plan, const Dispatch& dispatch,
                                   const DeviceInfo& device, const Language& language) {
  return SourceWriter(plan, dispatch, device, language).Run();
}

}  // namespace tern::gpu
