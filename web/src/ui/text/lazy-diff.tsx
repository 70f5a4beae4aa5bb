import { lazily } from '../states/lazily.tsx'
import { Loading } from '../states/loading.tsx'

/** The diff view, fetched when it is first needed. */
export const LazyDiff = lazily(() => import('./diff-view.tsx').then(({ DiffView }) => DiffView), <Loading card />)
