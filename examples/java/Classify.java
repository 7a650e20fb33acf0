// SPDX-License-Identifier: Apache-2.0
// Names what a photo shows, best first.   java -cp tensorflow-lite-0.1.0.jar Classify.java MODEL LABELS PHOTO
package examples;

import java.awt.image.BufferedImage;
import java.io.File;
import java.nio.*;
import java.nio.file.*;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.tensorflow.lite.DataType;
import org.tensorflow.lite.Interpreter;
import org.tensorflow.lite.Tensor;

public class Classify {
  public static void main(String[] args) throws Exception {
    if (args.length != 3) {
      System.err.println("usage: Classify MODEL LABELS PHOTO");
      return;
    }
    List<String> labels = Files.readAllLines(Path.of(args[1]));
    try (Interpreter interpreter = new Interpreter(new File(args[0]))) {
      ByteBuffer pixels = pixelsOf(ImageIO.read(new File(args[2])), interpreter.getInputTensor(0));
      Tensor output = interpreter.getOutputTensor(0);
      ByteBuffer scores = ByteBuffer.allocateDirect(output.numBytes()).order(ByteOrder.nativeOrder());
      interpreter.run(pixels, scores);
      int count = output.numElements(), classes = output.shape()[output.numDimensions() - 1], groups = count / classes;
      float[] shares = new float[classes]; // where each pixel has scores, the mean of all pixels
      for (int i = 0; i < count; i++) shares[i % shares.length] += score(scores, output, i) / groups;
      IntStream.range(0, shares.length).boxed().sorted((a, b) -> Float.compare(shares[b], shares[a])).limit(3)
          .forEach(i -> System.out.printf(Locale.ROOT, "%s: %.3g%n",
              i < labels.size() ? labels.get(i) : "class " + i, shares[i]));
    }
  }

  // The photo in the size and the type of the input: -1 to 1, or bytes.
  static ByteBuffer pixelsOf(BufferedImage photo, Tensor input) {
    int height = input.shape()[1], width = input.shape()[2]; // of 1, height, width, 3
    BufferedImage small = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    small.createGraphics().drawImage(photo, 0, 0, width, height, null);
    ByteBuffer pixels = ByteBuffer.allocateDirect(input.numBytes()).order(ByteOrder.nativeOrder());
    for (int i = 0; i < height * width; i++) {
      for (int shift = 16; shift >= 0; shift -= 8) {
        int value = small.getRGB(i % width, i / width) >> shift & 255;
        if (input.dataType() == DataType.FLOAT32) pixels.putFloat(value / 127.5f - 1);
        else pixels.put((byte) (input.dataType() == DataType.INT8 ? value - 128 : value));
      }
    }
    return pixels.rewind();
  }

  // A score of a quantized model as the number that it stands for.
  static float score(ByteBuffer scores, Tensor output, int i) {
    if (output.dataType() == DataType.FLOAT32) return scores.getFloat(4 * i);
    int value = output.dataType() == DataType.INT8 ? scores.get(i) : scores.get(i) & 255;
    Tensor.QuantizationParams params = output.quantizationParams();
    return params.getScale() * (value - params.getZeroPoint());
  }
}
