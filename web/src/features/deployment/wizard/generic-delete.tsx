import type { App } from '@quayside/contract/portal-api'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { usePortal } from '../../../lib/portal.tsx'
import { useWizards } from '../../../lib/wizards.tsx'
import { useConfirm } from '../../../ui/confirm.tsx'
import { discardApp } from './assign-app.ts'

/** The delete dialog of Serverless apps: one question, then the deletion runs under running actions. */
export function GenericDelete({ app }: { app: App }) {
  const { api } = usePortal()
  const { close } = useWizards()
  const confirm = useConfirm()
  const queries = useQueryClient()
  const asked = useRef(false)
  useEffect(() => {
    if (asked.current) return
    asked.current = true
    const ask = async () => {
      const yes = await confirm({
        title: 'Delete Deployment',
        message: `Delete ${app.displayName} with everything that runs of it?`,
        danger: true,
      })
      if (!yes) return close()
      try {
        await discardApp(api, app)
        close({ success: true, type: 'Delete' })
      } catch (error) {
        close({ success: false, type: 'Delete' })
        await confirm({
          type: 'alert',
          title: 'Delete Failed',
          message: error instanceof Error ? error.message : String(error),
        })
      }
      for (const queryKey of [['apps'], ['spaces'], ['actions']]) void queries.invalidateQueries({ queryKey })
    }
    void ask()
  }, [api, app, close, confirm, queries])
  return null
}
