// SPDX-License-Identifier: Apache-2.0
package snippets;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.ByteBuffer;
import org.tensorflow.lite.Delegate;
import org.tensorflow.lite.Interpreter;
import org.tensorflow.lite.Models;

/** The names that the documents' blocks leave to the reader. */
public abstract class SnippetContext {
  public final File model = Models.LANDSCAPE;
  public final ByteBuffer input = Models.landscapeInput();
  public final ByteBuffer output = Models.landscapeOutput();
  public final ByteBuffer inputTensor = input;
  public final ByteBuffer outputTensor = output;
  public final String serializationDir = System.getProperty("java.io.tmpdir");
  public final String modelToken = "landscape";

  /** Outputs that were read. */
  public int runs;

  /** The documented block. */
  public abstract void run();

  public void writeToInput(Object input) {
    output.rewind();
  }

  public void readFromOutput(Object output) {
    ++runs;
    assertTrue(Models.worst(this.output, cpuOutput()) < 0.05f); // half precision is allowed
  }

  public void writeToInputTensor(Object input) {
    writeToInput(input);
  }

  public void readFromOutputTensor(Object output) {
    readFromOutput(output);
  }

  /** In place of the document's loop without end. */
  public boolean running() {
    return runs < 3;
  }

  /** Behind a block that ends with an interpreter that has run. */
  public void end(Interpreter interpreter) {
    interpreter.close();
  }

  /** Behind a block that ends with options. */
  public void end(Interpreter.Options options) {
    try (Interpreter interpreter = new Interpreter(model, options)) {
      writeToInput(input);
      interpreter.run(input, output);
      readFromOutput(output);
    }
    for (Delegate delegate : options.getDelegates()) delegate.close();
  }

  private static ByteBuffer cpuOutput() {
    ByteBuffer output = Models.landscapeOutput();
    try (Interpreter interpreter = new Interpreter(Models.LANDSCAPE)) {
      interpreter.run(Models.landscapeInput(), output);
    }
    return output;
  }
}
