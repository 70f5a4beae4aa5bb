import { callTitle } from '@quayside/contract/audit/call-title'
import { type GuardedCall, guardedCalls } from '@quayside/contract/capabilities'

/** Calls that go into the log, by their address: all that change something, or hand something out. */
export const auditedCalls: ReadonlyMap<string, GuardedCall> = new Map(
  guardedCalls
    .filter(({ endpoint: { method, onlyReads, handsOut }, policy }) => {
      return policy.kind !== 'public' && (handsOut || (method !== 'GET' && !onlyReads))
    })
    .map((call) => [call.address, call]),
)

/** Tells whether a call hands out secrets to those alone who hold the scope, and to others without them. */
export function masksSecrets(address: string): boolean {
  const call = auditedCalls.get(address)
  return (
    call?.endpoint.handsOut === true &&
    call.policy.kind === 'scope' &&
    call.policy.sometimesScopes?.includes('app.secrets') === true
  )
}

export const capabilityOfCall = (address: string): string => auditedCalls.get(address)?.capability ?? 'former'

/** The title of a call; of one that is no longer served its address. */
export function titleOfCall(address: string): string {
  const call = auditedCalls.get(address)
  return call ? callTitle(call.endpoint.summary) : address
}

/** Addresses of the calls of a capability. */
export const callsOfCapability = (name: string): string[] =>
  [...auditedCalls.values()].filter(({ capability }) => capability === name).map(({ address }) => address)

/** Addresses of the calls whose title has a text in it. */
export const callsTitled = (text: string): string[] =>
  [...auditedCalls.keys()].filter((address) => titleOfCall(address).toLowerCase().includes(text.toLowerCase()))
