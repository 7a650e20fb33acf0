// SPDX-License-Identifier: Apache-2.0
// Times whole calls of Interpreter.run, copies included, as bench/java.py asks for them on its standard input: a line with
// a number of runs is answered by a line with the median of their times in milliseconds, and that of the runtime's part.
//   java -cp tensorflow-lite-0.1.0.jar JavaRun.java MODEL THREADS
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.tensorflow.lite.Interpreter;

public class JavaRun {
  public static void main(String[] args) throws Exception {
    Interpreter.Options options = new Interpreter.Options().setNumThreads(Integer.parseInt(args[1]));
    try (Interpreter interpreter = new Interpreter(new File(args[0]), options)) {
      ByteBuffer input = direct(interpreter.getInputTensor(0).numBytes());
      ByteBuffer output = direct(interpreter.getOutputTensor(0).numBytes());
      Random random = new Random(1);
      for (int i = 0; i < input.capacity(); i += 4) input.putFloat(i, random.nextFloat() * 2 - 1);
      BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        double[] times = new double[Integer.parseInt(line.trim())];
        double[] inside = new double[times.length];
        for (int i = 0; i < times.length; ++i) {
          output.rewind();
          long begin = System.nanoTime();
          interpreter.run(input, output);
          times[i] = (System.nanoTime() - begin) / 1e6;
          inside[i] = interpreter.getLastNativeInferenceDurationNanoseconds() / 1e6;
        }
        Arrays.sort(times);
        Arrays.sort(inside);
        System.out.println(times[times.length / 2] + " " + inside[times.length / 2]);
      }
    }
  }

  private static ByteBuffer direct(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
  }
}
