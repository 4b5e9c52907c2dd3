import type { Session, SessionDetails, SessionUpdate } from 'fastify-accounts'
import type { ReadRow, SessionRow } from './rows.js'
import {
  anyText,
  type Columns,
  fromRow,
  json,
  limits,
  list,
  oneOf,
  orNull,
  text,
  time,
  toColumns,
  toRow,
  whole,
} from './values.js'

const id = text(limits.id)

const changeable: Columns<Omit<Session, 'id' | 'kind' | 'userId' | 'createdAt'>, SessionRow> = {
  name: orNull(anyText),
  epoch: whole,
  lastSeenAt: time,
  expiresAt: time,
  details: orNull(json<SessionDetails>()),
  methods: list(anyText.write),
  confirmedAt: orNull(time),
  priorConfirmedAt: orNull(time),
  confirmation: whole,
  generation: whole,
  seenGeneration: whole,
  baseGeneration: whole,
  nextBase: orNull(whole),
  settlesAt: orNull(time),
}

const columns: Columns<Session, SessionRow> = {
  ...changeable,
  id,
  kind: oneOf(['cookie', 'token']),
  userId: id,
  createdAt: time,
}

/** @throws InvalidArgumentError */
export function toSessionRow(session: Session): SessionRow {
  return toRow(columns, session)
}

/** The columns of the fields that change. @throws InvalidArgumentError */
export function toSessionColumns(changes: SessionUpdate): Partial<SessionRow> {
  return toColumns(changeable, changes)
}

/** @throws UnavailableError if the row is unreadable */
export function toSession(row: ReadRow<SessionRow>): Session {
  return fromRow(columns, row)
}
