import type { EventData, EventType } from '../seams/events.js'

/** An event before it is known who wants it. */
export type Draft<Type extends EventType = EventType> = Type extends EventType
  ? { type: Type; user: { id: string; version: number | null } | null; data: EventData[Type] }
  : never
