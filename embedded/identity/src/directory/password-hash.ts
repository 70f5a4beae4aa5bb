import { type Algorithm, hash, verify } from '@node-rs/argon2'

const options = { algorithm: 2 satisfies Algorithm, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const AT_ONCE = 4

let running = 0
const waiting: (() => void)[] = []

/** Hashing is memory-hungry on purpose: only a few at once, the rest wait their turn. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, options))

export const passwordMatches = (stored: string, password: string): Promise<boolean> =>
  inTurn(() => verify(stored, password))

let decoy: Promise<string> | undefined

/** Costs as much as checking a real password, so that an unknown name answers no sooner than a known one. */
export async function spendAsMuch(password: string): Promise<false> {
  decoy ??= hashPassword('a password that belongs to nobody')
  await passwordMatches(await decoy, password)
  return false
}
