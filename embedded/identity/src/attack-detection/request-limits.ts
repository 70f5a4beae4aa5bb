import type { Db } from '../storage/database.ts'
import { digestOf } from '../storage/encryption.ts'
import { countedAddress } from './counted-address.ts'
import { countIn, type Limit, type Refusal, written } from './login-attempts.ts'

const limitOf = (factor: number, windowSeconds: number): Limit => ({
  ...{ factor, linear: false, waitSeconds: windowSeconds, maxWaitSeconds: windowSeconds, windowSeconds },
  lockoutsBeforeForGood: null,
})
const quarterOfAnHour = 900

/** Things that strangers may ask for at the sign-in page, each a number of times. */
const limits = {
  reset: { each: limitOf(5, quarterOfAnHour), address: limitOf(30, quarterOfAnHour) },
  registration: { each: limitOf(10, quarterOfAnHour), address: limitOf(30, quarterOfAnHour) },
} as const

interface Asked {
  realmId: string
  what: keyof typeof limits
  /** The name that was typed; the same limit holds whether somebody has it or not. */
  name: string
  ip: string
}

export function countRequest(db: Db, { realmId, what, name, ip }: Asked): Promise<Refusal | undefined> {
  const { each, address } = limits[what]
  return countIn(db, realmId, ip, [
    written(what, digestOf(name), each),
    written(`${what}-address`, countedAddress(ip), address),
  ])
}
