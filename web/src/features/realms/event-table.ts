import type { EventSettings } from '@quayside/contract/events/endpoints'
import { longestExpiration } from '@quayside/contract/events/rules'
import type { Setting } from './setting.ts'

const limits = { least: 0, most: longestExpiration }
const whenOff = (sentence: string) => (next: boolean) => (next ? undefined : sentence)

/** Events that are kept, and for how long. */
export const eventTable: readonly Setting<EventSettings>[] = [
  {
    ...{ kind: 'switch', key: 'eventsEnabled', label: 'Keep sign-ins', safe: true },
    means: 'Sign-ins, failed ones too, and what people did with their accounts are kept with time and address.',
    warns: whenOff('Nobody can see any more who signed in, or who tries passwords.'),
  },
  {
    ...{ kind: 'number', key: 'eventsExpiration', label: 'Keep them for', unit: 'seconds', safe: 2_592_000, limits },
    means: 'Older ones are removed. 0 keeps them for good.',
    shown: ({ eventsEnabled }) => eventsEnabled,
  },
  {
    ...{ kind: 'switch', key: 'adminEventsEnabled', label: 'Keep changes', safe: true },
    means: 'Changes of people, groups, roles, clients and settings are kept with who made them.',
    warns: whenOff('Nobody can see any more who changed people, roles or how people sign in.'),
  },
  {
    ...{ kind: 'switch', key: 'adminEventsDetailsEnabled', label: 'Keep what was sent', safe: false },
    means: 'The identity server keeps the content of each change too, without passwords and secrets.',
    shown: ({ adminEventsEnabled }) => adminEventsEnabled,
  },
  {
    ...{ kind: 'number', key: 'adminEventsExpiration', label: 'Keep changes for', unit: 'seconds', limits },
    ...{ safe: 31_536_000, means: 'Older ones are removed. 0 keeps them for good.' },
    shown: ({ adminEventsEnabled }) => adminEventsEnabled,
  },
]
