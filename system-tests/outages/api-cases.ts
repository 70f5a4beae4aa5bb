/** A fault of the cluster's API towards one of its clients, and how the four actions end with it. */
export interface ApiCase {
  name: string
  /** Sent to the Sandbox, for the namespace of the case. */
  faults: object[]
  ends: Record<(typeof helmKinds)[number], 'Success' | 'Failed'>
  /** Helm has to be killed: the result is a time-out first. */
  isKilled?: true
  /** Nothing could be written at first, and the log says that it is waited for; run with each action. */
  waits?: true
}

export const helmKinds = ['Deploy', 'Upgrade', 'Rollback', 'Delete'] as const

const helm = { userAgent: 'Helm/*' }
const portal = { userAgent: 'quayside' }
const all = (state: 'Success' | 'Failed') => ({ Deploy: state, Upgrade: state, Rollback: state, Delete: state })

export const apiCases: ApiCase[] = [
  { name: 'hangs at every call of Helm', faults: [{ ...helm, kind: 'hang' }], ends: all('Failed'), isKilled: true },
  {
    name: 'answers each call of Helm a quarter of a second late',
    faults: [{ ...helm, kind: 'slow', milliseconds: 250 }],
    ends: all('Success'),
  },
  {
    name: 'answers six calls of Helm with 429',
    faults: [{ ...helm, kind: 'too-many-requests', milliseconds: 1, count: 6 }],
    ends: all('Success'),
  },
  {
    name: 'answers six calls of Helm with 500',
    faults: [{ ...helm, kind: 'server-error', count: 6 }],
    ends: all('Failed'),
  },
  {
    name: 'resets six writes of Helm of each kind but the first',
    faults: ['PATCH', 'PUT', 'DELETE'].map((method) => ({ ...helm, method, kind: 'reset', count: 6 })),
    ends: all('Failed'),
  },
  {
    name: 'loses its answers to the first two writes of Helm of each kind',
    faults: ['POST', 'PATCH', 'PUT', 'DELETE'].map((method) => ({ ...helm, method, kind: 'lost-reply', count: 2 })),
    ends: { ...all('Failed'), Delete: 'Success' },
  },
  {
    name: 'answers everybody with 503 and resets the first writes of Helm',
    faults: [
      { ...portal, name: 'quayside-deployer', kind: 'unavailable', count: 1 },
      { ...helm, kind: 'unavailable', count: 1 },
      { ...helm, method: 'POST', kind: 'reset', count: 1 },
    ],
    ends: all('Success'),
    waits: true,
  },
  {
    name: 'answers the portal with 500, 429, resets and no answer at all',
    faults: [
      { ...portal, resource: 'secrets', kind: 'server-error', count: 1 },
      { ...portal, resource: 'secrets', kind: 'too-many-requests', milliseconds: 1, count: 1 },
      { ...portal, resource: 'secrets', kind: 'reset', count: 1 },
      { ...portal, resource: 'secrets', kind: 'hang', count: 1 },
    ],
    ends: all('Success'),
  },
]
