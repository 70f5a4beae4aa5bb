import type { Refusal } from '../attack-detection/login-attempts.ts'

/** Tells somebody who was refused how long to wait, or who can help; the same whether or not the account exists. */
export function refusalText({ waitSeconds }: Refusal): string {
  if (waitSeconds === undefined) return 'Too many attempts. Ask an administrator to unlock this account.'
  const minutes = Math.ceil(waitSeconds / 60)
  const time = waitSeconds < 60 ? count(waitSeconds, 'second') : count(minutes, 'minute')
  return `Too many attempts. Try again in ${time}, or ask an administrator to unlock this account.`
}

/** Tells somebody who asked for the same thing many times how long to wait. */
export function requestRefusalText({ waitSeconds = 60 }: Refusal): string {
  return `Too many requests. Try again in ${count(Math.ceil(waitSeconds / 60), 'minute')}.`
}

const count = (number: number, unit: string) => `${number} ${unit}${number === 1 ? '' : 's'}`
