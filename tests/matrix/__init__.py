# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
