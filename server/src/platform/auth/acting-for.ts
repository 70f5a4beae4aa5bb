import { AsyncLocalStorage } from 'node:async_hooks'

/** Id of the person for whom the portal changes something at the identity server, which only knows the portal itself. */
const person = new AsyncLocalStorage<string>()

/** Runs a change that somebody has asked for, so that the identity server can keep their name with it. */
export const actingFor = <T>(actor: { userId: string }, work: () => Promise<T>): Promise<T> =>
  person.run(actor.userId, work)

export const whoseChange = (): string | undefined => person.getStore()
