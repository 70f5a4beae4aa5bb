import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, type RefObject, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { returnFocus, returnFocusTarget } from '../../lib/return-focus.ts'
import { appsKey } from '../apps.ts'
import { catalogKey } from '../catalog/catalog.ts'
import { spaceKey, spacesKey } from '../spaces.ts'
import { actionsKey } from './actions.ts'

/** A page's request to open a deployment wizard. features/deployment has the wizards; the shell renders them. */
export type WizardRequest =
  /** Install a catalog version, with the space preset when the page is a space. */
  | {
      kind: 'install'
      versionId: string
      spaceId?: string
      /** YAML of a link, to lay over the version's own values; empty when the link was broken. */
      values?: string
    }
  /** Go on with the installation of an app that was assigned and never deployed. */
  | { kind: 'deploy'; appId: string }
  | { kind: 'upgrade'; appId: string; versionId?: string }
  | { kind: 'rollback'; appId: string; revision?: number }
  | { kind: 'delete'; appId: string }
  /** Look on again at an action of the ledger that runs or has run. */
  | { kind: 'follow'; actionId: string }

/** How a wizard ended: the result action type, and whether it succeeded. */
export interface WizardResult {
  success: boolean
  type: 'Deploy' | 'Upgrade' | 'Rollback' | 'Delete'
}

interface Wizards {
  request: WizardRequest | undefined
  /** Opens one wizard; the answer comes when it closes. undefined means that it was cancelled before anything ran. */
  open(request: WizardRequest): Promise<WizardResult | undefined>
  close(result?: WizardResult): void
}

const WizardsContext = createContext<Wizards | undefined>(undefined)

export function useWizards(): Wizards {
  const wizards = useContext(WizardsContext)
  if (wizards === undefined) throw new Error('useWizards needs a WizardsProvider above it')
  return wizards
}

/** On the way from a space to the catalog the address carries the space: an install that names none goes there. */
export function intoSpace(request: WizardRequest, search: string): WizardRequest {
  if (request.kind !== 'install' || request.spaceId !== undefined) return request
  const spaceId = new URLSearchParams(search).get('space')
  return spaceId === null ? request : { ...request, spaceId }
}

/** Everything that an action changes by ending. */
const staleAfterSuccess: readonly QueryKey[] = [appsKey, spacesKey, actionsKey, catalogKey]

/**
 * The queries to read again when a wizard closes: always the apps; the space whose overview is shown; and after
 * a success all lists of apps, spaces, actions and catalog items.
 */
export function staleAfter(result: WizardResult | undefined, path: string): readonly QueryKey[] {
  if (result?.success === true) return staleAfterSuccess
  const space = /\/spaces\/([A-Za-z0-9]{7})\/overview$/.exec(path)?.[1]
  return space === undefined ? [appsKey] : [appsKey, spaceKey(space)]
}

interface Opened {
  request: WizardRequest
  answer: (result: WizardResult | undefined) => void
}

export function WizardsProvider({ children }: { children: ReactNode }) {
  const [opened, setOpened] = useState<Opened>()
  const queries = useQueryClient()
  const opener = useRef<HTMLElement>(undefined)
  useFocusBack(opened !== undefined, opener)
  const wizards = useMemo<Wizards>(
    () => ({
      request: opened?.request,
      open(request) {
        opener.current = returnFocusTarget(document.activeElement, opener.current)
        return new Promise((answer) => setOpened({ request: intoSpace(request, window.location.search), answer }))
      },
      close(result) {
        opened?.answer(result)
        // A deleted app has no row any more that could take the focus back.
        if (result?.success === true && result.type === 'Delete') opener.current = undefined
        setOpened(undefined)
        for (const queryKey of staleAfter(result, window.location.pathname))
          void queries.invalidateQueries({ queryKey })
      },
    }),
    [opened, queries],
  )
  return <WizardsContext value={wizards}>{children}</WizardsContext>
}

/** Reads apps, spaces, actions and the catalog again once an action has ended. */
export function useRefreshAfterAction(hasEnded: boolean): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (!hasEnded) return
    for (const queryKey of staleAfterSuccess) void queries.invalidateQueries({ queryKey })
  }, [hasEnded, queries])
}

/** The one who works by keyboard stands, after the last wizard, where the first one was opened. */
function useFocusBack(isOpen: boolean, opener: RefObject<HTMLElement | undefined>): void {
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !isOpen) {
      returnFocus(opener.current)
      opener.current = undefined
    }
    wasOpen.current = isOpen
  }, [isOpen, opener])
}
