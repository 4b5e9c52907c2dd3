export { type CaseReport, type ConformanceCase, runCases } from './cases.js'
export { newSession, sessionStoreCases } from './session-store-cases.js'
export { userStoreCases } from './user-store-cases.js'
export { newUser } from './users.js'
