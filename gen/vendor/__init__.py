# SPDX-License-Identifier: Apache-2.0 OR ISC OR MIT
"""What a project needs of the library and the generated files, laid out as it wants them: `gen vendor`."""
