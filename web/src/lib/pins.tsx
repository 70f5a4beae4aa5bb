import type { MenuGroup, PinnedKind } from '@quayside/contract/menu'
import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { usePortal } from './portal.tsx'

/** Something that a page offers for pinning. */
export interface Pinnable {
  kind: PinnedKind
  id: string
  name: string
}

/** What is asked of the dialog of the custom sidebar; it lives in features/menu and the shell draws it. */
export type PinRequest =
  | { ask: 'entry'; item?: Pinnable; groupId?: string }
  | { ask: 'title'; group: Pick<MenuGroup, 'id' | 'title'> }

export interface Pins {
  request: PinRequest | undefined
  open(request: PinRequest): void
  close(): void
}

const PinsContext = createContext<Pins | undefined>(undefined)

export function usePins(): Pins {
  const pins = useContext(PinsContext)
  if (pins === undefined) throw new Error('usePins needs a PinsProvider above it')
  return pins
}

export function PinsProvider({ children }: { children: ReactNode }) {
  const [request, open] = useState<PinRequest>()
  const pins = useMemo<Pins>(() => ({ request, open, close: () => open(undefined) }), [request])
  return <PinsContext value={pins}>{children}</PinsContext>
}

export const menuKey = ['menu'] as const

/** The person's own side bar. */
export function useMenu() {
  const { api } = usePortal()
  return useQuery({
    queryKey: menuKey,
    queryFn: async ({ signal }) => (await api.get<{ data: MenuGroup[] }>('/portal-api/v0/menu', { signal })).data,
  })
}
