import { day, hour, minute } from './time.js'

/** So many attempts in so long. */
export interface Limit {
  /** Tries, from 1. */
  max: number
  /** Milliseconds; the window begins with the first try. */
  window: number
}

/** Budgets that are kept by account, address or user: `throttle.spend`. A feature adds its own. */
export interface AccountLimits {
  /** Failed logins per account; the next try within the window is refused. Default 5 in 5 minutes. */
  loginAccount: Limit
  /** The same over a day, so that nobody guesses on slowly for ever. Default 100 in 1 day. */
  loginAccountDay: Limit
  /** Mails that go to an address before it is proven, and to the owner of one that is taken, per address. Default 5 an hour. */
  verifyMails: Limit
  /** Tries to give the current password per user, to change or to confirm it. Default 5 a minute. */
  changePassword: Limit
  /** The same over a day, only wrong ones: a browser that was left open is no place to guess at. Default 100 in 1 day. */
  changePasswordDay: Limit
  /**
   * Wrong second factors per account, of whatever kind; a device on which a login was completed has its own. Default 5
   * in 5 minutes.
   */
  secondFactor: Limit
  /** The same over a day. Default 100 in 1 day. */
  secondFactorDay: Limit
  /** Changes of the own name and fields, and of the names of authenticator apps, per user. Default 20 a minute. */
  changeProfile: Limit
  /** Pages of the list of users per user, without `search`: whoever reads all of it reads the whole table. Default 60 a minute. */
  listUsers: Limit
  /** Searches among users per user: each reads whatever begins like it. Default 30 a minute. */
  searchUsers: Limit
  /** Mails about a new device per user, password, browser, system and network. Default 1 in 30 days. */
  newDeviceMails: Limit
  /**
   * Notices of one kind per account, such as `password-changed`, that go out at once. Those beyond it are held
   * back, and go out as one email when the window is over. Default 5 an hour.
   */
  noticeMails: Limit
}

/** Budgets that are kept by client IP: a route names the one that it draws on. A feature adds its own. */
export interface IpLimits {
  /** Logins per client IP. Default 30 a minute. */
  login: Limit
  /** Creations per client IP, over both variants. Default 20 a minute. */
  create: Limit
  /**
   * Tries to give the own password per client IP, to change or to confirm it, whoever is logged in: each is a hash, and
   * goes before those of strangers. Default 30 a minute.
   */
  ownPassword: Limit
  /** Uses of all other links per client IP. Default 20 a minute. */
  verify: Limit
}

/**
 * The limits, each a budget of its own. Source of the numbers: django-allauth's rate limits, and the limit of
 * consecutive failures in NIST SP 800-63B-4 section 3.2.2.
 */
export interface Limits extends AccountLimits, IpLimits {}

/** The budgets of one kind, by name. */
export type AccountBudget = keyof AccountLimits
export type IpBudget = keyof IpLimits

export const coreLimits = {
  loginAccount: { max: 5, window: 5 * minute },
  loginAccountDay: { max: 100, window: day },
  login: { max: 30, window: minute },
  verifyMails: { max: 5, window: hour },
  create: { max: 20, window: minute },
  changePassword: { max: 5, window: minute },
  changePasswordDay: { max: 100, window: day },
  ownPassword: { max: 30, window: minute },
  secondFactor: { max: 5, window: 5 * minute },
  secondFactorDay: { max: 100, window: day },
  changeProfile: { max: 20, window: minute },
  listUsers: { max: 60, window: minute },
  searchUsers: { max: 30, window: minute },
  newDeviceMails: { max: 1, window: 30 * day },
  noticeMails: { max: 5, window: hour },
  verify: { max: 20, window: minute },
} as const satisfies Partial<Limits>
