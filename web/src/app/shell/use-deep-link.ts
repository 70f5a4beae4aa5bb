import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useWizards } from '../../api/deployments/wizards.tsx'

/** An address with `?deploy=…` opens the install wizard of that version; what it carried is then taken off it. */
export function useDeepLink() {
  const router = useRouter()
  const { open } = useWizards()
  useEffect(() => {
    const { search, hash, pathname } = window.location
    const query = new URLSearchParams(search)
    if (!query.has('deploy')) return
    query.delete('deploy')
    const rest = query.size === 0 ? '' : `?${query}`
    router.history.replace(pathname + rest)
    void import('../../api/deployments/values-link.ts').then(async ({ readLink }) => {
      const found = await readLink(search, hash)
      if (found !== undefined) void open({ kind: 'install', ...found })
    })
  }, [router, open])
}
