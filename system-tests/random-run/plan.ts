import fc from 'fast-check'
import { failpointNames } from '../fault-matrix/failpoints.ts'

const orderKinds = ['Deploy', 'Upgrade', 'Rollback', 'Delete'] as const
export type OrderKind = (typeof orderKinds)[number]

/** A user's order for an app; somebody else may order something at the same time, or it may be cancelled. */
export interface Order {
  kind: OrderKind
  replicas: number
  rival: { kind: OrderKind; afterMs: number } | null
  cancelAfterMs: number | null
}

/** A fault that is active while the orders of a round are under way. */
export type PlannedFault =
  | { is: 'failpoint'; point: string; fault: 'kill' | 'sigterm' | 'throw' }
  | { is: 'fault'; userAgent: string; method: string; kind: string; count: number }
  | { is: 'signal'; whom: 'portal' | 'helm' | 'supervisor'; signal: 'SIGKILL' | 'SIGTERM'; afterMs: number }
  | { is: 'freeze'; whom: 'portal' | 'supervisor'; afterMs: number; forMs: number }

/** One order for each app, all at once, and what breaks meanwhile. */
export interface Round {
  orders: Order[]
  troubles: PlannedFault[]
}

/** One in so many. */
function seldom<Value>(one: number, value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> {
  return fc.oneof({ weight: one - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value })
}

const moment = fc.integer({ min: 0, max: 2500 })
const orderKind = fc.oneof(
  { weight: 4, arbitrary: fc.constant<OrderKind>('Deploy') },
  { weight: 5, arbitrary: fc.constant<OrderKind>('Upgrade') },
  { weight: 3, arbitrary: fc.constant<OrderKind>('Rollback') },
  { weight: 2, arbitrary: fc.constant<OrderKind>('Delete') },
)
const order: fc.Arbitrary<Order> = fc.record({
  kind: orderKind,
  replicas: fc.integer({ min: 1, max: 3 }),
  rival: seldom(4, fc.record({ kind: orderKind, afterMs: fc.integer({ min: 0, max: 400 }) })),
  cancelAfterMs: seldom(8, fc.integer({ min: 0, max: 300 })),
})
const trouble: fc.Arbitrary<PlannedFault> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      is: fc.constant('failpoint' as const),
      point: fc.constantFrom(...failpointNames),
      fault: fc.constantFrom('kill' as const, 'sigterm' as const, 'throw' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      is: fc.constant('fault' as const),
      userAgent: fc.constantFrom('Helm/*', 'Helm/*', 'quayside'),
      method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
      kind: fc.constantFrom('reset', 'too-many-requests', 'unavailable', 'server-error', 'hang', 'lost-reply', 'slow'),
      count: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      is: fc.constant('signal' as const),
      whom: fc.constantFrom('portal' as const, 'helm' as const, 'supervisor' as const),
      signal: fc.constantFrom('SIGKILL' as const, 'SIGTERM' as const),
      afterMs: moment,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      is: fc.constant('freeze' as const),
      whom: fc.constantFrom('portal' as const, 'supervisor' as const),
      afterMs: moment,
      forMs: fc.integer({ min: 300, max: 5000 }),
    }),
  },
)

/** The rounds of a seed: the same seed gives the same rounds, at however many a run stops. */
export function planOf(seed: number, rounds: number, apps: number): Round[] {
  const some = (length: number) => fc.array(trouble, { minLength: length, maxLength: length })
  const round = fc.record({
    orders: fc.array(order, { minLength: apps, maxLength: apps }),
    troubles: fc.integer({ min: 0, max: 3 }).chain(some),
  })
  return fc.sample(round, { seed, numRuns: rounds })
}
