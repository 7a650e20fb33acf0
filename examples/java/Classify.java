// SPDX-License-Identifier: Apache-2.0
// Names what a photo shows, best first.   java -cp tensorflow-lite-0.1.0.jar Classify.java MODEL LABELS PHOTO
package examples;

import java.awt.image.BufferedImage;
import java.io.File;
import java.nio.*;
import java.nio.file.*;
import java.util.List;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.tensorflow.lite.Interpreter;

public class Classify {
  public static void main(String[] args) throws Exception {
    List<String> labels = Files.readAllLines(Path.of(args[1]));
    try (Interpreter interpreter = new Interpreter(new File(args[0]))) {
      int[] shape = interpreter.getInputTensor(0).shape(); // 1, height, width, 3 of floats
      int height = shape[1], width = shape[2];
      BufferedImage photo = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
      photo.createGraphics().drawImage(ImageIO.read(new File(args[2])), 0, 0, width, height, null);
      FloatBuffer pixels = FloatBuffer.allocate(height * width * 3);
      for (int i = 0; i < height * width; i++)
        for (int shift = 16; shift >= 0; shift -= 8)
          pixels.put((photo.getRGB(i % width, i / width) >> shift & 255) / 127.5f - 1);
      FloatBuffer scores = FloatBuffer.allocate(interpreter.getOutputTensor(0).numElements());
      interpreter.run(pixels.rewind(), scores);
      float[] sums = new float[labels.size()]; // where each pixel has scores, those of all pixels
      for (int i = 0; i < scores.capacity(); i++) sums[i % sums.length] += scores.get(i);
      IntStream.range(0, sums.length).boxed().sorted((a, b) -> Float.compare(sums[b], sums[a])).limit(3)
          .forEach(i -> System.out.println(labels.get(i)));
    }
  }
}
