// SPDX-License-Identifier: Apache-2.0
// Names what a photo shows, best first: arguments MODEL LABELS PHOTO
package examples

import java.awt.image.BufferedImage
import java.io.File
import java.nio.FloatBuffer
import javax.imageio.ImageIO
import org.tensorflow.lite.Interpreter

fun main(args: Array<String>) {
  val labels = File(args[1]).readLines()
  Interpreter(File(args[0])).use { interpreter ->
    val (_, height, width) = interpreter.getInputTensor(0).shape() // 1, height, width, 3 of floats
    val photo = BufferedImage(width, height, BufferedImage.TYPE_INT_RGB)
    photo.createGraphics().drawImage(ImageIO.read(File(args[2])), 0, 0, width, height, null)
    val pixels = FloatBuffer.allocate(height * width * 3)
    for (y in 0 until height) for (x in 0 until width) for (shift in 16 downTo 0 step 8)
      pixels.put((photo.getRGB(x, y) shr shift and 255) / 127.5f - 1)
    val scores = FloatBuffer.allocate(interpreter.getOutputTensor(0).numElements())
    interpreter.run(pixels.rewind(), scores)
    val sums = FloatArray(labels.size) // where each pixel has scores, those of all pixels
    scores.array().forEachIndexed { i, score -> sums[i % sums.size] += score }
    sums.indices.sortedByDescending { sums[it] }.take(3).forEach { println(labels[it]) }
  }
}
