// biome-ignore-all lint/suspicious/noEmptyInterface: each feature adds its names

/** The error codes of features, as `{ INVITATION_GONE: true }`. */
export interface FeatureErrors {}

/** The kinds of email of features. */
export interface FeatureMails {}

/** The events of features, as `{ 'organization.created': { organization_id: string } }`: what each tells besides the user. */
export interface FeatureEvents {}

/** The links of features: one name for each kind, with the name of its route. */
export interface FeatureLinks {}

/** The actions of routes, as named in the audit trail, with the names of the routes; each is declared next to its route. */
export interface FeatureActions {}

/** The name of a route in /api-root/. */
export type RouteName = Extract<FeatureActions[keyof FeatureActions], string>

/** The name of a route that emails link to. */
export type LinkRouteName = Extract<FeatureLinks[keyof FeatureLinks], string>

/** The English texts of features, by feature name: `{ invitations: typeof en }`. */
export interface FeatureTexts {}

/** The operations of features, by id, as methods: what `app.accounts.perform` takes and returns. */
// biome-ignore lint/correctness/noUnusedVariables: features use it
export interface FeatureOperations<Fields = undefined> {}

/** The calls that features add to `app.accounts`, as methods whose last argument is a `HostCall`, and groups of calls and hooks. */
export interface FeatureCalls {}
