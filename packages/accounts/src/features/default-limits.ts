import type { Limits } from '../options/limits.js'
import { composeFeatures } from './compose.js'
import { shippedFeatures } from './shipped.js'

/** The limits of the core and of the shipped features. */
export const defaultLimits: Readonly<Limits> = composeFeatures(shippedFeatures).names.limits
