// SPDX-License-Identifier: Apache-2.0
// Reads answers out of the outputs of a model, of a photo most often: classes, boxes, points, masks
// and pictures, as text and as pictures.
#ifndef TERN_TOOLS_CLI_ANSWERS_ANSWERS_H_
#define TERN_TOOLS_CLI_ANSWERS_ANSWERS_H_

#include <map>
#include <string>
#include <vector>

#include "cli/answers/labels.h"
#include "cli/answers/values.h"
#include "cli/inputs/picture.h"

namespace tern::cli {

// All that an answer is made of.
struct Question {
  std::vector<Values> outputs;
  Labels labels;
  // By the position of an output, where the model itself names its classes.
  std::map<int, Labels> output_labels;
  // The picture to draw on. Without a photo it is black, in the size of the input.
  Picture photo;
  int input_width = 0, input_height = 0;  // what the model saw, in pixels; 0 without a picture

  const Labels& LabelsOf(size_t output) const;
};

struct Answer {
  explicit Answer(const Question& question)
      : overlay(question.photo), reported(question.outputs.size()) {}

  std::vector<std::string> lines;
  std::vector<std::string> warnings;
  Picture overlay;                  // the photo with what was found
  bool drawn = false;               // whether the overlay shows more than the photo
  std::map<int, Picture> pictures;  // outputs that are pictures, by position
  std::vector<bool> reported;       // outputs that the lines speak of

  // Outputs that no one spoke of are free for the next who looks.
  bool free(size_t output) const { return !reported[output]; }
  void Tell(size_t output) { reported[output] = true; }
  void Warn(const std::string& text);  // once, and nothing for an empty text
};

// Everything that has a known form, and a last line for the outputs that have none.
Answer FindAnswer(const Question& question);

// The kinds. Each looks at free outputs and adds what it finds.
//
// Boxes, classes, scores and their count, as TFLite_Detection_PostProcess gives them.
void TellDetections(const Question& question, Answer* answer);
// Boxes and key points over computed anchors: detectors of faces, palms and bodies.
void TellAnchored(const Question& question, Answer* answer);
// The heads of YOLO and YOLOX: a row of numbers for each box.
void TellYolo(const Question& question, Answer* answer);
// One channel over the picture: a mask, or a picture in grey.
void TellGrey(const Question& question, Answer* answer);
// Skeletons: heat maps and offsets of 17 key points, with displacements of several people; 14 heat
// maps; 17 rows of position and score.
void TellPose(const Question& question, Answer* answer);
// Points of a face, a hand, a body or an eye.
void TellLandmarks(const Question& question, Answer* answer);
// Three channels: a picture.
void TellColours(const Question& question, Answer* answer);
// Class scores or class indices per pixel.
void TellClassMask(const Question& question, Answer* answer);
// The five highest of a classifier's scores.
void TellScores(const Question& question, Answer* answer);

// A thickness that fits the size of a picture.
int DrawingUnit(const Picture& picture);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_ANSWERS_ANSWERS_H_
