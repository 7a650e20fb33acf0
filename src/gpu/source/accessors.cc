// SPDX-License-Identifier: Apache-2.0
// Written coordinates are called x, y, s (slice) and n (batch) inside: epilogue ops use a and b.
#include "gpu/source/accessors.h"

#include "base/status.h"

namespace tern::gpu {
namespace {

const std::vector<ContextParam> kCoordinates = {
    {"int", "x"}, {"int", "y"}, {"int", "s"}, {"int", "n"}};

std::string Outside(const std::string& width, const std::string& height) {
  return StrCat("x < 0 || y < 0 || x >= ", width, " || y >= ", height);
}

}  // namespace

void Accessors::Context::Add(const ContextParam& param) {
  for (const ContextParam& known : params_) {
    if (known.name == param.name) return;
  }
  params_.push_back(param);
}

void Accessors::Context::Add(const Params& params) {
  for (const ContextParam& param : params) Add(param);
}

std::string Accessors::Context::Int(const std::string& name) {
  Add({"int", name});
  return name;
}

std::string Accessors::Context::Real(const std::string& name) {
  Add({"real", name});
  return name;
}

void Accessors::Print(const std::string& type, const std::string& name, const Context& context,
                      const Params& params, const std::string& body) {
  const bool global = language_.has_global_names();
  std::string head, macro_head, macro_call;
  auto add = [](std::string& list, const std::string& item) {
    list += list.empty() ? item : StrCat(", ", item);
  };
  for (const ContextParam& param : context.params()) {
    names_.insert(param.name);
    add(head, StrCat(param.type, " ", param.name));
    add(macro_call, param.name);
  }
  if (global) head.clear();
  for (size_t i = 0; i < params.size(); ++i) {
    add(head, StrCat(params[i].type, " ", params[i].name));
    add(macro_head, StrCat("P", i));
    add(macro_call, StrCat("P", i));
  }
  text_ += StrCat(language_.FunctionQualifier(), type, " ", name, global ? "" : "_", "(", head,
                  ") {\n", body, "}\n");
  if (!global)
    text_ += StrCat("#define ", name, "(", macro_head, ") ", name, "_(", macro_call, ")\n");
  contexts_[name] = context.params();
}

Accessors::Context Accessors::MemoryOf(const TensorText& tensor) const {
  Context context;
  context.Add(language_.BufferContext(tensor.buffer));
  return context;
}

std::string Accessors::SliceIndex(const TensorText& tensor, Context& context) const {
  const std::string& name = tensor.buffer.name;
  const std::string width = context.Int(name + "_width");
  const std::string height = context.Int(name + "_height");
  const std::string slices = context.Int(name + "_slices");
  if (tensor.desc.layout == Layout::kRows)
    return StrCat("((n * ", height, " + y) * ", width, " + x) * ", slices, " + s");
  return StrCat("((n * ", slices, " + s) * ", height, " + y) * ", width, " + x");
}

// Index of the first element of a slice.
std::string Accessors::FirstElement(const TensorText& tensor, Context& context) const {
  if (tensor.desc.layout != Layout::kRows)
    return StrCat("(", SliceIndex(tensor, context), ") * ", width_);
  const std::string& name = tensor.buffer.name;
  const std::string width = context.Int(name + "_width");
  const std::string height = context.Int(name + "_height");
  const std::string channels = context.Int(name + "_channels");
  return StrCat("((n * ", height, " + y) * ", width, " + x) * ", channels, " + s * ", width_);
}

// Address of the first element of a slice. Sums of a pointer and an int each: a compiler then sees
// at once that neighbours along x lie equally far apart.
std::string Accessors::Address(const TensorText& tensor, Context& context) const {
  const std::string& name = tensor.buffer.name;
  const std::string width = context.Int(name + "_width");
  const std::string height = context.Int(name + "_height");
  if (tensor.desc.layout == Layout::kRows) {
    const std::string channels = context.Int(name + "_channels");
    return StrCat(name, "_data + (n * ", height, " + y) * ", width, " * ", channels, " + x * ",
                  channels, " + s * ", width_);
  }
  const std::string slices = context.Int(name + "_slices");
  return StrCat(name, "_data + ((n * ", slices, " + s) * ", height, " + y) * ", width, " * ",
                width_, " + x * ", width_);
}

// Slice `index` of the tensor as its numbers.
std::string Accessors::Slice(const TensorText& tensor, const std::string& index,
                             Context& context) const {
  if (tensor.as_sums) return language_.LoadSums(tensor.buffer, index, width_);
  const std::string loaded = language_.LoadSlice(tensor.buffer, index, width_);
  if (!HoldsElements(tensor.desc.element)) return loaded;
  std::string whole = loaded;
  if (tensor.desc.element == Element::kByte) {
    const std::string zero = context.Real(tensor.buffer.name + "_element_zero");
    whole = StrCat("(", loaded, " - splat(", zero, "))");
  }
  if (tensor.elements) return whole;
  return StrCat(whole, " * splat(", context.Real(tensor.buffer.name + "_element_scale"), ")");
}

std::string Accessors::Single(const TensorText& tensor, const std::string& index,
                              Context& context) const {
  const std::string loaded = language_.LoadReal(tensor.buffer, index);
  if (!HoldsElements(tensor.desc.element)) return loaded;
  std::string whole = loaded;
  if (tensor.desc.element == Element::kByte) {
    whole = StrCat("(", loaded, " - ", context.Real(tensor.buffer.name + "_element_zero"), ")");
  }
  if (tensor.elements) return whole;
  return StrCat(whole, " * ", context.Real(tensor.buffer.name + "_element_scale"));
}

// The text that is written for a slice of numbers. A written element stands for its number, so the
// product is near an integer.
std::string Accessors::Stored(const TensorText& tensor, const std::string& value,
                              Context& context) const {
  if (!HoldsElements(tensor.desc.element)) return value;
  std::string whole = StrCat("(", value, ")");
  if (!tensor.elements) {
    const std::string inverse = context.Real(tensor.buffer.name + "_element_inverse");
    whole = StrCat("round_even(", whole, " * splat(", inverse, "))");
  }
  if (tensor.desc.element == Element::kWhole) return whole;
  return StrCat(whole, " + splat(", context.Real(tensor.buffer.name + "_element_zero"), ")");
}

SlicePart Accessors::PartOf(const TensorText& tensor) const {
  return {tensor.number(), width_, Few(tensor)};
}

// The names of a SlicePart.
std::string Accessors::PartNames(const TensorText& tensor, const std::string& first,
                                 Context& context) const {
  const std::string text = StrCat("  int first = ", first, ";\n");
  if (Few(tensor) != 0) return text;
  const std::string channels = context.Int(tensor.buffer.name + "_channels");
  return StrCat(text, "  int count = ", channels, " - s * ", width_, ";\n");
}

void Accessors::Read(const TensorText& tensor) {
  Context context = MemoryOf(tensor);
  std::string body;
  if (tensor.desc.layout == Layout::kRows && Ragged(tensor)) {
    body = PartNames(tensor, FirstElement(tensor, context), context);
    body += language_.ReturnPart(tensor.buffer, PartOf(tensor));
  } else {
    const std::string index = SliceIndex(tensor, context);
    body = StrCat("  return ", Slice(tensor, index, context), ";\n");
  }
  Print(tensor.slice(), tensor.buffer.name + "_read", context, kCoordinates, body);
}

// Reads at the nearest place inside, without a branch: reads then run ahead of each other, and
// where several lie in a row their addresses differ by a number alone.
void Accessors::ReadZero(const TensorText& tensor) {
  const std::string& name = tensor.buffer.name;
  Context context;
  context.Add(contexts_[name + "_read"]);
  const std::string width = context.Int(name + "_width");
  const std::string height = context.Int(name + "_height");
  Print(tensor.slice(), name + "_read_zero", context, kCoordinates,
        StrCat("  int inside_x = iclamp(x, 0, ", width, " - 1);\n  int inside_y = iclamp(y, 0, ",
               height, " - 1);\n  ", tensor.slice(), " v = ", name,
               "_read(inside_x, inside_y, s, n);\n",
               "  return x == inside_x && y == inside_y ? v : ", tensor.zeros(), ";\n"));
}

void Accessors::At(const TensorText& tensor) {
  const std::string& name = tensor.buffer.name;
  Context context = MemoryOf(tensor);
  std::string body;
  if (tensor.desc.layout == Layout::kRows) {
    body = StrCat("  return ", Single(tensor, "i", context), ";\n");
  } else {
    const std::string width = context.Int(name + "_width");
    const std::string height = context.Int(name + "_height");
    const std::string channels = context.Int(name + "_channels");
    body = StrCat("  int c = i % ", channels, ";\n  int x = i / ", channels, ";\n  int y = x / ",
                  width, ";\n  x = x % ", width, ";\n  int n = y / ", height, ";\n  y = y % ",
                  height, ";\n  int s = c / ", width_, ";\n");
    const std::string index = StrCat(FirstElement(tensor, context), " + c % ", width_);
    body += StrCat("  return ", Single(tensor, index, context), ";\n");
  }
  Print(WordsOf(tensor.number()).number, name + "_at", context, {{"int", "i"}}, body);
}

void Accessors::Channel(const TensorText& tensor) {
  Context context = MemoryOf(tensor);
  const std::string index = StrCat(FirstElement(tensor, context), " + c % ", width_);
  const std::string number = Single(tensor, index, context);
  Print(WordsOf(tensor.number()).number, tensor.buffer.name + "_channel", context,
        {{"int", "x"}, {"int", "y"}, {"int", "c"}, {"int", "n"}},
        StrCat("  int s = c / ", width_, ";\n  return ", number, ";\n"));
}

void Accessors::Lookup(const TensorText& tensor) {
  const std::string& name = tensor.buffer.name;
  Context context = MemoryOf(tensor);
  const std::string last = StrCat(context.Int(name + "_channels"), " - 1");
  std::string body = "  slice w = v;\n";
  for (int i = 0; i < width_; ++i) {
    const std::string place = StrCat("iclamp(to_int(lane(v, ", i, ")), 0, ", last, ")");
    body += StrCat("  set_lane(w, ", i, ", ", Single(tensor, place, context), ");\n");
  }
  Print("slice", name + "_lookup", context, {{"slice", "v"}}, body + "  return w;\n");
}

void Accessors::VectorWords(const TensorText& tensor, const Words& used) {
  const std::string& name = tensor.buffer.name;
  Context context = MemoryOf(tensor);
  if (used.count(name + "_read") != 0) {
    const std::string slice = Slice(tensor, "i", context);
    Print(WordsOf(tensor.number()).slice, name + "_read", context, {{"int", "i"}},
          StrCat("  return ", slice, ";\n"));
  }
  if (used.count(name + "_at") != 0) {
    Print(WordsOf(tensor.number()).number, name + "_at", context, {{"int", "i"}},
          StrCat("  return ", Single(tensor, "i", context), ";\n"));
  }
}

bool Accessors::LanesFromMemory(const TensorText& tensor, const Words& used,
                                const LanePolicy& lanes) const {
  const std::string type = language_.PointerType(tensor.buffer);
  if (!lanes.from_memory || type.empty() || tensor.buffer.written) return false;
  if (tensor.desc.element == Element::kByte) return false;
  if (tensor.desc.element == Element::kWhole && !tensor.elements) return false;
  // Lanes past the last channel are not in row-major memory: the kernel must promise to stay below.
  const int channels = tensor.desc.box.c;
  const bool promised =
      lanes.loop || (channels <= width_ && lanes.lanes > 0 && lanes.lanes <= channels);
  if (tensor.desc.layout == Layout::kRows && Ragged(tensor) && !promised) return false;
  const std::string& name = tensor.buffer.name;
  if (used.count(name + "_open_zero") == 0 && used.count(name + "_open_at_zero") == 0) return true;
  return lanes.constants.has_value() && language_.PointerType(*lanes.constants) == type;
}

void Accessors::Lanes(const TensorText& tensor, const Words& used, const LanePolicy& lanes) {
  const std::string& name = tensor.buffer.name;
  if (!LanesFromMemory(tensor, used, lanes)) {
    text_ += StrCat("#define ", name, "_lanes ", tensor.slice(), "\n");
    if (used.count(name + "_open") != 0)
      text_ += StrCat("#define ", name, "_open(P0, P1, P2, P3) ", name, "_read(P0, P1, P2, P3)\n");
    Cursor(tensor, used, nullptr);
    if (used.count(name + "_open_zero") != 0) {
      text_ += StrCat("#define ", name, "_open_zero(P0, P1, P2, P3) ", name,
                      "_read_zero(P0, P1, P2, P3)\n");
    }
    text_ += StrCat("#define ", name, "_lane(P0, P1) lane(P0, P1)\n");
    return;
  }
  const std::string type = language_.PointerType(tensor.buffer);
  Context context = MemoryOf(tensor);
  const std::string address = StrCat("  return ", Address(tensor, context), ";\n");
  if (used.count(name + "_open") != 0) Print(type, name + "_open", context, kCoordinates, address);
  if (used.count(name + "_open_zero") != 0) {
    context.Add(language_.BufferContext(*lanes.constants));
    const std::string width = context.Int(name + "_width");
    const std::string outside = Outside(width, context.Int(name + "_height"));
    Print(type, name + "_open_zero", context, kCoordinates,
          StrCat("  if (", outside, ") { return ", lanes.constants->name, "_data; }\n", address));
  }
  if (used.count(name + "_offset") != 0) Offset(tensor);
  Cursor(tensor, used, &lanes);
  text_ += StrCat("#define ", name, "_lanes ", type, "\n");
  text_ += StrCat(language_.FunctionQualifier(), WordsOf(tensor.number()).number, " ", name,
                  "_lane(", type, " ", name, "_data, int i) { return ",
                  language_.LoadReal(tensor.buffer, "i"), "; }\n");
}

// A cursor is a pointer where the language has them, else an index of slices, or of elements where
// slices are in parts. Prints its type and the word that makes one.
Accessors::Place Accessors::AddCursor(const TensorText& tensor) {
  const std::string& name = tensor.buffer.name;
  const bool in_parts = tensor.desc.layout == Layout::kRows && Ragged(tensor);
  const std::string pointer = language_.PointerType(tensor.buffer);
  Place made;
  Context first;
  std::string start;
  if (!pointer.empty()) {
    made = {{pointer, name + "_data"}, "", true, {}};
    first = MemoryOf(tensor);
    start = Address(tensor, first);
  } else {
    made = {{"int", "i"}, "i", in_parts, MemoryOf(tensor)};
    start = in_parts ? FirstElement(tensor, first) : SliceIndex(tensor, first);
  }
  // Steps as long as addresses: a sum would have to extend a shorter one each time.
  text_ += StrCat("#define ", name, "_place ", made.param.type, "\n#define ", name, "_distance ",
                  DistanceType(tensor), "\n");
  Print(made.param.type, name + "_cursor", first, kCoordinates, StrCat("  return ", start, ";\n"));
  return made;
}

// The slice at `offset` slices, or elements where slices are in parts, from a place.
std::string Accessors::ReturnAt(const TensorText& tensor, const Place& place,
                                const std::string& offset, Context& context) const {
  std::string index =
      StrCat(place.index, place.index.empty() || offset.empty() ? "" : " + ", offset);
  if (index.empty()) index = "0";
  if (tensor.desc.layout != Layout::kRows || !Ragged(tensor))
    return StrCat("  return ", Slice(tensor, index, context), ";\n");
  const std::string names = PartNames(tensor, index, context);
  return names + language_.ReturnPart(tensor.buffer, PartOf(tensor));
}

const char* Accessors::DistanceType(const TensorText& tensor) const {
  return language_.PointerType(tensor.buffer).empty() ? "int" : "long";
}

// From a slice to the next one of the same pixel.
void Accessors::Step(const TensorText& tensor, const Place& place) {
  const std::string& name = tensor.buffer.name;
  Context sizes;
  std::string step = StrCat(place.counts_elements ? width_ : 1);
  if (tensor.desc.layout != Layout::kRows) {
    const std::string width = sizes.Int(name + "_width");
    step = StrCat(sizes.Int(name + "_height"), " * ", width, " * ", step);
  }
  Print(DistanceType(tensor), name + "_step", sizes, {}, StrCat("  return ", step, ";\n"));
}

// A loop over slices steps its cursor, so that no round computes a place again. `lanes`: they are
// read from memory.
void Accessors::Cursor(const TensorText& tensor, const Words& used, const LanePolicy* lanes) {
  const std::string& name = tensor.buffer.name;
  const bool zero = used.count(name + "_open_at_zero") != 0;
  if (!zero && used.count(name + "_open_at") == 0) return;
  const bool from_memory = lanes != nullptr;
  const Place place = AddCursor(tensor);
  const std::string type = from_memory ? place.param.type : tensor.slice();
  Context reads = place.context;
  Step(tensor, place);
  Print(type, name + "_open_at", reads, {place.param, {"int", "s"}},
        from_memory ? StrCat("  return ", place.param.name, ";\n")
                    : ReturnAt(tensor, place, "", reads));
  if (!zero) return;
  if (from_memory) reads.Add(language_.BufferContext(*lanes->constants));
  const std::string outside =
      from_memory ? StrCat(lanes->constants->name, "_data") : std::string(tensor.zeros());
  Print(type, name + "_open_at_zero", reads, {place.param, {"int", "s"}, {"bool", "inside"}},
        StrCat("  ", type, " v = ", name, "_open_at(", place.param.name,
               ", s);\n  return inside ? v : ", outside, ";\n"));
}

// A loop over rows or slices steps its cursor, and pixels of a row lie so far from it.
void Accessors::Near(const TensorText& tensor, const Words& used) {
  const std::string& name = tensor.buffer.name;
  const Place place = AddCursor(tensor);
  const bool rows = tensor.desc.layout == Layout::kRows;
  Context sizes, reads = place.context;
  std::string down = StrCat(sizes.Int(name + "_width"), " * "), offset = "x";
  if (rows) {
    down += sizes.Int(name + (place.counts_elements ? "_channels" : "_slices"));
    offset += StrCat(" * ", reads.Int(name + (Ragged(tensor) ? "_channels" : "_slices")));
  } else {
    down += StrCat(place.counts_elements ? width_ : 1);
  }
  if (used.count(name + "_step") != 0) Step(tensor, place);
  Print(DistanceType(tensor), name + "_down", sizes, {}, StrCat("  return ", down, ";\n"));
  const std::string body = ReturnAt(tensor, place, offset, reads);
  Print(tensor.slice(), name + "_near", reads, {place.param, {"int", "x"}, {"int", "s"}}, body);
  Print(tensor.slice(), name + "_near_zero", reads,
        {place.param, {"int", "x"}, {"int", "s"}, {"bool", "inside"}},
        StrCat("  ", tensor.slice(), " v = ", name, "_near(", place.param.name,
               ", x, s);\n  return inside ? v : ", tensor.zeros(), ";\n"));
}

// Elements from channel 0 of a pixel to channel c.
void Accessors::Offset(const TensorText& tensor) {
  const std::string& name = tensor.buffer.name;
  Context context;
  std::string offset = "c";
  if (tensor.desc.layout == Layout::kSlices) {
    const std::string width = context.Int(name + "_width");
    const std::string height = context.Int(name + "_height");
    offset =
        StrCat("c / ", width_, " * (", height, " * ", width, " * ", width_, ") + c % ", width_);
  }
  Print("int", name + "_offset", context, {{"int", "c"}}, StrCat("  return ", offset, ";\n"));
}

void Accessors::AddTypes(const std::string& name, Number number, const Words& used) {
  const NumberWords& of = WordsOf(number);
  const std::pair<const char*, const char*> words[] = {
      {"_value", of.slice}, {"_number", of.number}, {"_splat", of.splat}, {"_zero", of.zeros}};
  for (const auto& [word, text] : words) {
    if (used.count(name + word) != 0) text_ += StrCat("#define ", name, word, " ", text, "\n");
  }
}

absl::Status Accessors::AddReads(const TensorText& tensor, const Words& used,
                                 const LanePolicy& lanes) {
  const std::string& name = tensor.buffer.name;
  auto uses = [&](const char* word) { return used.count(name + word) != 0; };
  const bool vector = tensor.desc.layout == Layout::kVector;
  const bool by_place = uses("_open") || uses("_open_zero");
  for (const char* word : {"_read", "_read_zero", "_at", "_channel", "_open", "_open_zero",
                           "_open_at", "_open_at_zero", "_near", "_near_zero"}) {
    if (!uses(word)) continue;
    if (!tensor.readable) return Invalid(name, word, ": ", name, " is only written");
    const std::string_view text = word;
    if (vector && text != "_read" && text != "_at")
      return Invalid(name, word, ": ", name, " is a vector");
  }
  if (vector) {
    VectorWords(tensor, used);
    return absl::OkStatus();
  }
  if (uses("_at")) At(tensor);
  if (uses("_channel")) Channel(tensor);
  if (uses("_lookup")) Lookup(tensor);
  const bool lanes_by_read = by_place && !LanesFromMemory(tensor, used, lanes);
  const bool zero = uses("_read_zero") || (lanes_by_read && uses("_open_zero"));
  if (uses("_read") || zero || lanes_by_read) Read(tensor);
  if (zero) ReadZero(tensor);
  if (by_place || uses("_open_at") || uses("_open_at_zero")) Lanes(tensor, used, lanes);
  if (uses("_near") || uses("_near_zero")) Near(tensor, used);
  return absl::OkStatus();
}

void Accessors::AddVector(const std::string& name, const BufferParam& constants,
                          const std::string& first_uniform, bool by_cursor, bool as_sums) {
  const char* type = as_sums ? "acc_slice" : "slice";
  const auto less_zero = [&](const std::string& slice, Context& context) {
    if (!IsPacked(constants.element)) return slice;
    return StrCat(slice, " - splat(", context.Real(constants.name + "_element_zero"), ")");
  };
  Context context, reads;
  context.Add(language_.BufferContext(constants));
  const std::string base = context.Int(first_uniform);
  const std::string pointer = language_.PointerType(constants);
  const std::string slice = as_sums ? language_.LoadSums(constants, base + " + i", width_)
                                    : language_.LoadSliceAfter(constants, base, "i", width_);
  if (!by_cursor || pointer.empty()) {
    Print(type, name + "_read", context, {{"int", "i"}},
          StrCat("  return ", less_zero(slice, context), ";\n"));
  }
  if (!by_cursor) return;
  if (pointer.empty()) {
    text_ +=
        StrCat("#define ", name, "_place int\n#define ", name, "_cursor(I) (I)\n#define ", name,
               "_step() 1\n#define ", name, "_read_at(P, I) ", name, "_read((P) + (I))\n");
    return;
  }
  const int items = constants.element == Element::kNibble ? width_ / 2 : width_;
  const ContextParam place = {pointer, constants.name + "_data"};
  text_ +=
      StrCat("#define ", name, "_place ", pointer, "\n#define ", name, "_step() ", items, "\n");
  Print(pointer, name + "_cursor", context, {{"int", "i"}},
        StrCat("  return ", place.name, " + (", base, " + i) * ", items, ";\n"));
  const std::string next = as_sums ? language_.LoadSums(constants, "i", width_)
                                   : less_zero(language_.LoadSlice(constants, "i", width_), reads);
  Print(type, name + "_read_at", reads, {place, {"int", "i"}}, StrCat("  return ", next, ";\n"));
}

// Slice i of a vector of integers.
std::string Accessors::Ints(const std::string& vector, Context& context) const {
  context.Add(contexts_.at(vector + "_read"));
  return StrCat("whole_islice(", vector, "_read(i))");
}

void Accessors::AddFinish(const std::string& name, const FinishText& finish) {
  Context context;
  context.Add(contexts_.at(name + "_read"));
  const Params params = {{"total_slice", "v"}, {"int", "i"}};
  if (finish.function.empty()) {
    std::string number = StrCat("to_slice(v) + ", name, "_read(i)");
    if (finish.scaled) {
      context.Add(contexts_.at(StrCat(kScale, "_read")));
      number = StrCat("mad(to_slice(v), ", kScale, "_read(i), ", name, "_read(i))");
    }
    Print("slice", name + "_finish", context, params, StrCat("  return ", number, ";\n"));
    return;
  }
  std::string body = StrCat("  islice sum = ", finish.sum == Number::kInt ? "v" : "whole_islice(v)",
                            " + ", Ints(name, context));
  if (finish.has_rest) body += " + " + Ints(kBiasRest, context);
  body += StrCat(";\n  islice multiplier = ", Ints(kMultiplierHigh, context), " * isplat(65536) + ",
                 Ints(kMultiplierLow, context), ";\n");
  if (finish.has_fraction) {
    body += StrCat("  islice fraction = ", Ints(kFractionHigh, context), " * isplat(65536) + ",
                   Ints(kFractionLow, context), ";\n");
  }
  body += StrCat("  sum = ", finish.function, "(sum, multiplier, ",
                 finish.has_fraction ? "fraction, " : "", Ints(kShift, context), ");\n");
  const std::string min = context.Int(kMinElement), max = context.Int(kMaxElement);
  body += StrCat("  return from_islice(min(max(sum, isplat(", min, ")), isplat(", max, ")));\n");
  Print("slice", name + "_finish", context, params, body);
}

// Each op declares its result, number `i` of the epilogue: types may change on the way.
std::string Accessors::StepBody(const StepText& step, size_t i, Context& context) const {
  if (!step.choice.empty()) context.Int(step.choice);
  std::string body = StrCat("  ", WordsOf(step.to).slice, " v", i + 1);
  body += step.optional ? StrCat(" = v", i, ";\n  if (", step.choice, " >= 0) { ") : ";\n  { ";
  const char* own = step.swapped ? "w" : "v";
  body += StrCat(WordsOf(step.from).slice, " ", own, " = v", i, "; ");
  std::string expression = step.expression;
  if (step.lookup) {
    const std::string name = step.operand->name + "_lookup";
    context.Add(contexts_.at(name));
    expression = WithWord(expression, kLookup, name);
  } else if (step.operand) {
    const OperandText& from = *step.operand;
    const char* word = from.splat_channel ? "_channel" : "_read";
    context.Add(contexts_.at(from.name + word));
    std::string read =
        StrCat(from.name, word, "(", from.same_x ? "x" : "0", ", ", from.same_y ? "y" : "0", ", ",
               from.splat_channel ? "0" : "s", ", ", from.same_b ? "n" : "0", ")");
    const NumberWords& words = WordsOf(from.number);
    if (from.splat_channel) read = StrCat(words.splat, "(", read, ")");
    const char* other = step.swapped ? "v" : "w";
    if (from.zeros_behind) {
      body += StrCat(words.slice, " ", other, " = ", words.splat, "(", words.zero, "); if (s < ",
                     context.Int(from.name + "_slices"), ") { ", other, " = ", read, "; } ");
    } else {
      body += StrCat(words.slice, " ", other, " = ", read, "; ");
    }
  }
  for (const auto& [type, word, uniform] : step.numbers) {
    context.Add({type, uniform});
    body += StrCat(type, " ", word, " = ", uniform, "; ");
  }
  if (Identifiers(step.expression).count(kChoice) != 0)
    body += StrCat("int ", kChoice, " = ", step.choice, "; ");
  return StrCat(body, "v", i + 1, " = ", expression, "; }\n");
}

void Accessors::AddWrite(const TensorText& tensor, Number given,
                         const std::vector<StepText>& steps) {
  const std::string& name = tensor.buffer.name;
  Context context = MemoryOf(tensor);
  std::string body;
  for (size_t i = 0; i < steps.size(); ++i) body += StepBody(steps[i], i, context);
  std::string value = StrCat("v", steps.size());
  Params params = {{WordsOf(given).slice, "v0"}};
  if (tensor.desc.layout == Layout::kVector) {
    params.push_back({"int", "i"});
    value = Stored(tensor, value, context);
    body += StrCat("  ", language_.StoreSlice(tensor.buffer, "i", value, width_), "\n");
  } else {
    params.insert(params.end(), kCoordinates.begin(), kCoordinates.end());
    if (tensor.desc.layout == Layout::kRows && Ragged(tensor)) {
      body += PartNames(tensor, FirstElement(tensor, context), context);
      body += language_.StorePart(tensor.buffer, value, PartOf(tensor));
    } else {
      // Where no lane is past the last channel the mask stays, for one program for all sizes.
      if (tensor.desc.layout == Layout::kSlices) {
        value = StrCat("select_mask(", value, ", ", WordsOf(tensor.number()).zeros, ", ",
                       context.Int(name + "_channels"), " - s * ", width_, ")");
      }
      const std::string index = SliceIndex(tensor, context);
      value = Stored(tensor, value, context);
      body += StrCat("  ", language_.StoreSlice(tensor.buffer, index, value, width_), "\n");
    }
  }
  Print("void", name + "_write", context, params, body);
}

}  // namespace tern::gpu
