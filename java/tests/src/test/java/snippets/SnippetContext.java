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
  public File model;
  public ByteBuffer input;
  public ByteBuffer output;
  public ByteBuffer inputTensor;
  public ByteBuffer outputTensor;
  public final String serializationDir = System.getProperty("java.io.tmpdir");
  public final String modelToken = "landscape";

  private ByteBuffer cpuOutput;

  /** Outputs that were read. */
  public int runs;

  protected SnippetContext() {
    use(Models.LANDSCAPE);
  }

  /** Lets the block run on this model, which has one input and one output of floats. */
  public final void use(File file) {
    model = file;
    try (Interpreter interpreter = new Interpreter(file)) {
      input = Models.direct(new byte[interpreter.getInputTensor(0).numBytes()]);
      for (int i = 0; i < input.capacity() / 4; ++i) input.putFloat(4 * i, i % 511 / 255.0f - 1);
      output = Models.direct(new byte[interpreter.getOutputTensor(0).numBytes()]);
      cpuOutput = Models.direct(new byte[output.capacity()]);
      interpreter.run(input, cpuOutput);
    }
    inputTensor = input;
    outputTensor = output;
  }

  /** The documented block. */
  public abstract void run();

  public void writeToInput(Object input) {
    output.rewind();
  }

  public void readFromOutput(Object output) {
    ++runs;
    assertTrue(Models.worst(this.output, cpuOutput) < 0.05f); // half precision is allowed
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
}
