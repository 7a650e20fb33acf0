// SPDX-License-Identifier: Apache-2.0
package android.app;

import android.os.Bundle;
import android.widget.TextView;
import java.io.Closeable;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Stands in for Android's: as much of it as the activity in docs/android.md uses. One asset is all that it has. */
public class Activity {
  private final CountDownLatch shown = new CountDownLatch(1);
  private File asset;
  private TextView view;

  /** Starts the activity and waits for what it shows. */
  public final CharSequence show(File asset) throws InterruptedException {
    this.asset = asset;
    onCreate(null);
    return shown.await(60, TimeUnit.SECONDS) ? view.getText() : "nothing was shown";
  }

  protected void onCreate(Bundle savedInstanceState) {}

  public void setContentView(TextView view) {
    this.view = view;
  }

  public final void runOnUiThread(Runnable action) {
    action.run();
    shown.countDown();
  }

  public Assets getAssets() {
    return new Assets();
  }

  public final class Assets {
    public AssetFile openFd(String name) throws IOException {
      return new AssetFile(new FileInputStream(asset), asset.length());
    }
  }

  public static final class AssetFile implements Closeable {
    private final FileInputStream stream;
    private final long length;

    AssetFile(FileInputStream stream, long length) {
      this.stream = stream;
      this.length = length;
    }

    public FileDescriptor getFileDescriptor() throws IOException {
      return stream.getFD();
    }

    public long getStartOffset() {
      return 0;
    }

    public long getDeclaredLength() {
      return length;
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }
}
