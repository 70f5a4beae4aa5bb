import { z } from 'zod'

export const SocketId = z.string().max(64).nullish()
/** The revision that the command was made for: when it is given and another one is installed, the command is refused. */
export const BaseRevision = z.number().int().min(1).max(1_000_000).nullish()
/** Ends the wait with the reason as soon as nothing can become ready by itself any more; on unless it is false. */
export const GiveUpEarly = z.boolean().optional()
