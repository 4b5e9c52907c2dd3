import { day, hour, minute } from './time.js'

/** A number of attempts in a time window. */
export interface Limit {
  /** Attempts, at least 1. */
  max: number
  /** Milliseconds; the window begins with the first attempt. */
  window: number
}

/** Budgets by account, address or user, for `throttle.spend`. Features add their own. */
export interface AccountLimits {
  /** Failed logins per account; further attempts within the window are rejected. Default 5 in 5 minutes. */
  loginAccount: Limit
  /** The same over a day, against slow guessing. Default 100 in 1 day. */
  loginAccountDay: Limit
  /**
   * Emails to an unproven address, and to the owner of one that is taken: those that anybody can request, per address,
   * and those that an account or its browsers cause, per account; emails of the option `ownEmails` apart. Default 5 an hour.
   */
  verifyMails: Limit
  /**
   * Emails to an unproven address that accounts cause, over all accounts: those that had the address, and, counted
   * apart, those that requested to change to it, and emails of the option `ownEmails`. Default 10 an hour.
   */
  addressMails: Limit
  /**
   * Links to an address over `verifyMails` or `forgotMails` that are sent all the same: the first from each network of a
   * provider (an IPv4 /16, an IPv6 /32), so strangers elsewhere can't keep them from the owner. Default 5 an hour.
   */
  networkMails: Limit
  /** Attempts to give the current password per user, to change or to confirm it. Default 5 a minute. */
  changePassword: Limit
  /** The same over a day, counting only wrong ones, against guessing in a browser left open. Default 100 in 1 day. */
  changePasswordDay: Limit
  /**
   * Hashes per account that go before those of strangers, for passwords given on known devices and in sessions, without
   * those of wrong passwords. Further ones wait with those of strangers. Counted separately: how many requests of its known
   * devices don't count against their client address. Default 10 in 5 minutes: for five attempts of two hashes each, as
   * many as `loginAccount` allows.
   */
  priorityHashes: Limit
  /**
   * Wrong second factors of any kind per account; a device that completed a login has its own budget. Default
   * 5 in 5 minutes.
   */
  secondFactor: Limit
  /** The same over a day. Default 100 in 1 day. */
  secondFactorDay: Limit
  /** Changes of the own name and fields, and of the names of authenticator apps, per user. Default 20 a minute. */
  changeProfile: Limit
  /**
   * Pages of the lists of users (without `search`), service accounts, invitations, organizations and their members, per user, since
   * reading all of one reads the whole table. Default 60 a minute.
   */
  listUsers: Limit
  /** User searches per user. Default 30 a minute. */
  searchUsers: Limit
  /** Emails about a new device per user, password, browser, system and network. Default 1 in 30 days. */
  newDeviceMails: Limit
  /**
   * Notices of one kind per account, such as `password-changed`, that are sent immediately. Further ones are
   * held back, and sent as one email at the end of the window. Default 5 an hour.
   */
  noticeMails: Limit
}

/** Budgets by client IP; each route names its own. Features add theirs. */
export interface IpLimits {
  /** Logins per client IP. Default 30 a minute. */
  login: Limit
  /** Creations per client IP, over both variants. Default 20 a minute. */
  create: Limit
  /**
   * Attempts to give the own password per client IP, to change or to confirm it, by any logged-in user, since
   * each is a hash that goes before those of strangers. Default 30 a minute.
   */
  ownPassword: Limit
  /** Uses of all other links per client IP. Default 20 a minute. */
  verify: Limit
}

/**
 * The limits, each with its own budget. Sources of the numbers: django-allauth's rate limits, and the limit
 * of consecutive failures in NIST SP 800-63B-4 section 3.2.2.
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
  addressMails: { max: 10, window: hour },
  networkMails: { max: 5, window: hour },
  create: { max: 20, window: minute },
  changePassword: { max: 5, window: minute },
  changePasswordDay: { max: 100, window: day },
  ownPassword: { max: 30, window: minute },
  priorityHashes: { max: 10, window: 5 * minute },
  secondFactor: { max: 5, window: 5 * minute },
  secondFactorDay: { max: 100, window: day },
  changeProfile: { max: 20, window: minute },
  listUsers: { max: 60, window: minute },
  searchUsers: { max: 30, window: minute },
  newDeviceMails: { max: 1, window: 30 * day },
  noticeMails: { max: 5, window: hour },
  verify: { max: 20, window: minute },
} as const satisfies Partial<Limits>
