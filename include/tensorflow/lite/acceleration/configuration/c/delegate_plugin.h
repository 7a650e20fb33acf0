/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of a delegate plug-in under their usual path. */
#ifndef TERN_TENSORFLOW_LITE_ACCELERATION_CONFIGURATION_C_DELEGATE_PLUGIN_H_
#define TERN_TENSORFLOW_LITE_ACCELERATION_CONFIGURATION_C_DELEGATE_PLUGIN_H_

#include "tensorflow/lite/core/acceleration/configuration/c/delegate_plugin.h"

#endif /* TERN_TENSORFLOW_LITE_ACCELERATION_CONFIGURATION_C_DELEGATE_PLUGIN_H_ */
