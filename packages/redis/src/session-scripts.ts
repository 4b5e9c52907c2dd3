import { type Script, script } from './script.js'
import { compared, fields, numbers, properties, required } from './session-row.js'

// A session is a hash; a user's index is a sorted set of session ids by expiry time. If a script learns
// only while running which index or sessions it needs, it gets their key prefix as a key, so
// the client adds its own prefix and a cluster sees the slot.
//
// Time comes from Redis' own clock. A value that is not a session or index counts as absent; any other fault fails the script.
const time = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`

const prelude = `${time}
local fields = { ${fields.map((field) => `'${field}'`).join(', ')} }
local columns = { ${properties.map((name, at) => `${name} = ${at + 1}`).join(', ')} }
local greatest = { ${properties.map((name) => numbers[name] ?? 'false').join(', ')} }

local function numberIn(row, name)
  return tonumber(row[columns[name]]) or 0
end

local function read(key)
  if redis.call('TYPE', key).ok ~= 'hash' then return nil end
  local row = redis.call('HMGET', key, unpack(fields))
  for column, limit in ipairs(greatest) do
    local value = row[column] or ''
    row[column] = value
    if value == '' then
      if column <= ${required} then return nil end
    elseif limit and not (string.find(value, '^%-?%d+$') and math.abs(tonumber(value)) <= limit) then
      return nil
    end
  end
  if row[columns.kind] ~= '' and row[columns.kind] ~= 'token' then return nil end
  return numberIn(row, 'expiresAt') > now and row or nil
end

local function isIndex(key)
  return redis.call('TYPE', key).ok == 'zset'
end

local function ids(index)
  return isIndex(index) and redis.call('ZRANGE', index, 0, -1) or {}
end

-- Drops what has expired, and lets the index end with the last of its sessions.
local function note(index, id, expiresAt)
  if not isIndex(index) then redis.call('DEL', index) end
  redis.call('ZADD', index, expiresAt, id)
  redis.call('ZREMRANGEBYSCORE', index, '-inf', now)
  local last = redis.call('ZREVRANGE', index, 0, 0, 'WITHSCORES')
  if last[2] then redis.call('PEXPIREAT', index, string.format('%.0f', last[2])) end
end

local function moveEnd(session, index, id, expiresAt)
  redis.call('PEXPIREAT', session, expiresAt)
  note(index, id, expiresAt)
end
`

/** Keys: session, index. Values: id, expiresAt, then fields and their values. Returns how many the user has; -1 if the id is in use. */
export const create: Script = script(`${prelude}
if redis.call('EXISTS', KEYS[1]) == 1 then return -1 end
redis.call('HSET', KEYS[1], unpack(ARGV, 3))
moveEnd(KEYS[1], KEYS[2], ARGV[1], ARGV[2])
return redis.call('ZCARD', KEYS[2])`)

/** Keys: session, start of indexes. Values: id, lastSeenAt, expiresAt. Returns whether it existed, as 1 or 0. */
export const touch: Script = script(`${prelude}
local row = read(KEYS[1])
if not row then return 0 end
redis.call('HSET', KEYS[1], 'lastSeenAt', ARGV[2], 'expiresAt', ARGV[3])
moveEnd(KEYS[1], KEYS[2] .. row[1], ARGV[1], ARGV[3])
return 1`)

/**
 * Keys: session, start of indexes. Values: id, what each of `compared` must be, the new expiresAt or '', then fields and
 * their values. Returns whether they were written, as 1 or 0.
 */
export const change: Script = script(`${prelude}
local row = read(KEYS[1])
if not row then return 0 end
for place, name in ipairs({ ${compared.map((name) => `'${name}'`).join(', ')} }) do
  if numberIn(row, name) ~= tonumber(ARGV[place + 1]) then return 0 end
end
if ARGV[6] then redis.call('HSET', KEYS[1], unpack(ARGV, 6)) end
if ARGV[5] ~= '' then moveEnd(KEYS[1], KEYS[2] .. row[1], ARGV[1], ARGV[5]) end
return 1`)

/** Keys: session, start of indexes. Values: id. Returns whether it existed, as 1 or 0. */
export const remove: Script = script(`${prelude}
local row = read(KEYS[1])
redis.call('DEL', KEYS[1])
if not row then return 0 end
local index = KEYS[2] .. row[1]
if isIndex(index) then redis.call('ZREM', index, ARGV[1]) end
return 1`)

/** Keys: index, start of sessions. Values: user. Returns ids and rows. */
export const list: Script = script(`${prelude}
local rows = {}
for _, id in ipairs(ids(KEYS[1])) do
  local row = read(KEYS[2] .. id)
  if row and row[1] == ARGV[1] then table.insert(rows, { id, row }) end
end
return rows`)

/** Keys: index, start of sessions. Values: user, id to keep or ''. Returns how many were removed. */
export const removeOfUser: Script = script(`${prelude}
local gone = 0
for _, id in ipairs(ids(KEYS[1])) do
  if id ~= ARGV[2] then
    local row = read(KEYS[2] .. id)
    if row and row[1] == ARGV[1] then gone = gone + redis.call('DEL', KEYS[2] .. id) end
    redis.call('ZREM', KEYS[1], id)
  end
end
return gone`)

/** Keys: start of sessions, so a cluster asks the node that has them. Returns the milliseconds since 1970. */
export const clock: Script = script(`${time}
return now`)
