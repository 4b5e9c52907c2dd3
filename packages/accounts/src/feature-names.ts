// biome-ignore-all lint/suspicious/noEmptyInterface: each feature adds its names

/** The error codes that features bring, as `{ INVITATION_GONE: true }`. */
export interface FeatureErrors {}

/** The kinds of mail that features bring. */
export interface FeatureMails {}

/** What the links of features do: one name for each kind. */
export interface FeatureLinks {}

/** The actions of routes, as the audit trail names them; each stands beside its route. */
export interface FeatureActions {}

/** The English texts that features bring, by the name of the feature: `{ invitations: typeof en }`. */
export interface FeatureTexts {}
