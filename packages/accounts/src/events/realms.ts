/** Where the events of a mount wait until a courier splits them: each into one message for each subscriber. */
export const eventRealm = (mount: string): string => `${mount}:events`

/** Where the events of a mount wait for one subscriber. A slow one delays no other. */
export const subscriberRealm = (mount: string, name: string): string => `${mount}:to:${name}`

/** The subscriber of such a realm, of any mount; `undefined` for others. */
export const subscriberOf = (realm: string): string | undefined => /:to:(.*)$/.exec(realm)?.[1]
