// SPDX-License-Identifier: Apache-2.0
// Names what a photo shows, best first: arguments MODEL LABELS PHOTO. docs/java.md tells how to compile it.
package examples

import java.awt.image.BufferedImage
import java.io.File
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.util.Locale
import javax.imageio.ImageIO
import org.tensorflow.lite.DataType
import org.tensorflow.lite.Interpreter
import org.tensorflow.lite.Tensor

fun main(args: Array<String>) {
  if (args.size != 3) {
    System.err.println("usage: ClassifyKt MODEL LABELS PHOTO")
    return
  }
  val labels = File(args[1]).readLines()
  Interpreter(File(args[0])).use { interpreter ->
    val output = interpreter.getOutputTensor(0)
    val scores = memoryOf(output)
    interpreter.run(pixelsOf(ImageIO.read(File(args[2])), interpreter.getInputTensor(0)), scores)
    val shares = FloatArray(output.shape().last()) // where each pixel has scores, the mean of all pixels
    val groups = output.numElements() / shares.size
    for (i in 0 until output.numElements()) shares[i % shares.size] += score(scores, output, i) / groups
    shares.indices.sortedByDescending { shares[it] }.take(3)
      .forEach { println(String.format(Locale.ROOT, "%s: %.3g", labels.getOrElse(it) { i -> "class $i" }, shares[it])) }
  }
}

private fun memoryOf(tensor: Tensor) = ByteBuffer.allocateDirect(tensor.numBytes()).order(ByteOrder.nativeOrder())

// The photo in the size and the type of the input: -1 to 1, or bytes.
private fun pixelsOf(photo: BufferedImage, input: Tensor): ByteBuffer {
  val (_, height, width) = input.shape() // 1, height, width, 3
  val small = BufferedImage(width, height, BufferedImage.TYPE_INT_RGB)
  small.createGraphics().drawImage(photo, 0, 0, width, height, null)
  val pixels = memoryOf(input)
  for (y in 0 until height) for (x in 0 until width) for (shift in 16 downTo 0 step 8) {
    val value = small.getRGB(x, y) shr shift and 255
    when (input.dataType()) {
      DataType.FLOAT32 -> pixels.putFloat(value / 127.5f - 1)
      DataType.INT8 -> pixels.put((value - 128).toByte())
      else -> pixels.put(value.toByte())
    }
  }
  pixels.rewind()
  return pixels
}

// A score of a quantized model as the number that it stands for.
private fun score(scores: ByteBuffer, output: Tensor, i: Int): Float {
  if (output.dataType() == DataType.FLOAT32) return scores.getFloat(4 * i)
  val value = if (output.dataType() == DataType.INT8) scores.get(i).toInt() else scores.get(i).toInt() and 255
  val params = output.quantizationParams()
  return params.scale * (value - params.zeroPoint)
}
