import { z } from 'zod'
import { longestCostReason } from '../cost/rules.ts'
import { textOf } from '../http/primitives.ts'

export const SocketId = z.string().max(64).nullish()
/** The revision that the command was made for: when it is given and another one is installed, the command is refused. */
export const BaseRevision = z.number().int().min(1).max(1_000_000).nullish()
/** Ends the wait with the reason as soon as nothing can become ready by itself any more; on unless it is false. */
export const GiveUpEarly = z.boolean().optional()
/** Why a deployment goes beyond the budget of its space; it stays with the action. */
export const CostReason = textOf(longestCostReason).optional()
