// SPDX-License-Identifier: Apache-2.0
package android.widget;

import android.app.Activity;

/** Stands in for Android's. */
public final class TextView {
  private CharSequence text = "";

  public TextView(Activity context) {}

  public CharSequence getText() {
    return text;
  }

  public void setText(CharSequence text) {
    this.text = text;
  }
}
