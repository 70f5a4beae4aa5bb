import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'

/** What a page asks of the deployment wizards. They live in features/deployment; the shell draws them over any page. */
export type WizardRequest =
  /** Install a catalog version, with the space preset when the page is a space. */
  | { kind: 'install'; versionId: string; spaceId?: string }
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

export interface Wizards {
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

interface Opened {
  request: WizardRequest
  answer: (result: WizardResult | undefined) => void
}

export function WizardsProvider({ children }: { children: ReactNode }) {
  const [opened, setOpened] = useState<Opened>()
  const wizards = useMemo<Wizards>(
    () => ({
      request: opened?.request,
      open: (request) =>
        new Promise((answer) => setOpened({ request: intoSpace(request, window.location.search), answer })),
      close(result) {
        opened?.answer(result)
        setOpened(undefined)
      },
    }),
    [opened],
  )
  return <WizardsContext value={wizards}>{children}</WizardsContext>
}
