import { lazily } from './lazily.tsx'
import { Loading } from './loading.tsx'

/** The diff view, fetched when it is first needed. */
export const LazyDiff = lazily(() => import('./diff-view.tsx').then(({ DiffView }) => DiffView), <Loading card />)
