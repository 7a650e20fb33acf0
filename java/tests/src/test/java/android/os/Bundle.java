// SPDX-License-Identifier: Apache-2.0
package android.os;

/** Stands in for Android's. */
public final class Bundle {}
