import type { Estimate } from '@quayside/contract/cost/estimate'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { budgetQuery } from '../../../../api/cost/budget.ts'
import { estimateQuery } from '../../../../api/cost/estimate.ts'
import { usePortal } from '../../../../lib/portal.tsx'
import type { Estimated } from './estimated-cost.tsx'

/** Finds out whether values go beyond the budget of their space, and keeps the reason that somebody gives for it. */
export function useCostControl() {
  const { api } = usePortal()
  const queries = useQueryClient()
  const [over, setOver] = useState<Estimate>()
  const [reason, setReason] = useState('')
  const [isChecking, setChecking] = useState(false)

  /** Nothing is asked of a space without a budget, and what cannot be found out holds up nobody. */
  async function lookUp(spaceId: string, about: Estimated): Promise<Estimate | undefined> {
    try {
      if ((await queries.fetchQuery(budgetQuery(api, spaceId))) === null) return undefined
      const estimate = await queries.fetchQuery(estimateQuery(api, about))
      return estimate.budget?.isExceeded === true ? estimate : undefined
    } catch {
      return undefined
    }
  }

  return {
    over,
    reason,
    setReason,
    isChecking,
    /** Resolves to whether a reason is needed. */
    async check(spaceId: string, about: Estimated): Promise<boolean> {
      setChecking(true)
      const found = await lookUp(spaceId, about).finally(() => setChecking(false))
      setOver(found)
      return found !== undefined
    },
    /** A part of the command. */
    sent: over === undefined ? {} : { costReason: reason.trim() },
  }
}
export type CostControl = ReturnType<typeof useCostControl>
