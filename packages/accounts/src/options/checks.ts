/** The checks that every option is made of. Each fails with one line that names the option. */

export function fail(option: string, expectation: string): never {
  throw new Error(`fastify-accounts: the option ${option} ${expectation}`)
}

export function checkKeys<T extends object>(option: string, value: T, keys: readonly string[]): T {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(option, 'must be an object')
  for (const key of Object.keys(value)) {
    if (!keys.includes(key)) {
      fail(option === 'options' ? key : `${option}.${key}`, `does not exist; there are: ${keys.join(', ')}`)
    }
  }
  return value
}

export function checkPrefix(option: string, value: unknown = ''): string {
  if (typeof value !== 'string' || !/^(\/[A-Za-z0-9._~-]+)*\/?$/.test(value))
    fail(option, 'must be a path such as /accounts')
  return value.replace(/\/$/, '')
}

export function checkBoolean(option: string, value: unknown): boolean {
  if (typeof value !== 'boolean') fail(option, 'must be true or false')
  return value
}

export function checkOneOf<T extends string>(option: string, value: unknown, allowed: readonly T[]): T {
  const found = allowed.find((each) => each === value)
  return found ?? fail(option, `must be one of ${allowed.join(', ')}`)
}

export function checkInteger(
  option: string,
  value: unknown,
  min: number,
  max: number = Number.MAX_SAFE_INTEGER,
): number {
  return checkWhole(option, value, { what: 'a whole number', min, max, step: 1 })
}

export function checkMilliseconds(
  option: string,
  value: unknown,
  min: number,
  max: number = Number.MAX_SAFE_INTEGER,
  step: number = 1,
): number {
  return checkWhole(option, value, { what: 'a whole number of milliseconds', min, max, step })
}

function checkWhole(
  option: string,
  value: unknown,
  { what, min, max, step }: { what: string; min: number; max: number; step: number },
): number {
  const number = Number.isSafeInteger(value) ? (value as number) : Number.NaN
  if (number >= min && number <= max && number % step === 0) return number
  const upTo = max === Number.MAX_SAFE_INTEGER ? '' : ` and at most ${max}`
  const stepwise = step === 1 ? '' : `, a multiple of ${step}`
  return fail(option, `must be ${what}, at least ${min}${upTo}${stepwise}`)
}

export function checkPattern(option: string, value: unknown, pattern: RegExp): string {
  if (typeof value !== 'string' || !pattern.test(value)) fail(option, `must match ${pattern.source}`)
  return value
}

export function checkAdapter<T>(
  option: string,
  adapter: T | undefined,
  methods: readonly string[],
): T | undefined {
  if (adapter === undefined) return undefined
  if (typeof adapter !== 'object' || adapter === null)
    fail(option, `must be an object with the methods ${methods.join(', ')}`)
  for (const method of methods) {
    if (typeof (adapter as Record<string, unknown>)[method] !== 'function')
      fail(option, `lacks the method ${method}`)
  }
  return adapter
}

export function checkFunctions<T extends object>(option: string, value: T, names: readonly string[]): T {
  checkKeys(option, value, names)
  for (const [name, each] of Object.entries(value)) {
    if (typeof each !== 'function') fail(`${option}.${name}`, 'must be a function')
  }
  return value
}
