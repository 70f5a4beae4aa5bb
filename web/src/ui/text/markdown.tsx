import DOMPurify from 'dompurify'
import { marked } from 'marked'
import { useMemo } from 'react'
import styles from './markdown.module.css'

/** A picture of another server would tell that server who reads: a link to it takes its place. */
function showHere(picture: HTMLImageElement): void {
  const address = picture.getAttribute('src') ?? ''
  if (address.startsWith('data:image/')) {
    for (const name of ['srcset', 'sizes', 'lowsrc']) picture.removeAttribute(name)
    return
  }
  const words = picture.alt.trim()
  const isInLink = picture.closest('a') !== null
  if (isInLink || !/^https?:/i.test(address)) {
    picture.replaceWith(words)
    return
  }
  const link = document.createElement('a')
  link.href = address
  link.textContent = words || address
  picture.replaceWith(link)
}

/** The page that shows a text has the one heading of the first level: the text's own are a level below it. */
function lowerHeadings(text: DocumentFragment): void {
  for (const heading of text.querySelectorAll('h1, h2, h3, h4, h5')) {
    const lower = document.createElement(`h${Number(heading.localName.slice(1)) + 1}`)
    lower.append(...heading.childNodes)
    heading.replaceWith(lower)
  }
}

/** A package's own words: shown as text with links and code, never as markup that could act. */
export function Markdown({ text }: { text: string }) {
  const html = useMemo(() => {
    const clean = DOMPurify.sanitize(marked.parse(text, { async: false }), {
      FORBID_TAGS: [
        'style',
        'form',
        'input',
        'button',
        'iframe',
        'object',
        'embed',
        'video',
        'audio',
        'picture',
        'source',
        'svg',
        'math',
      ],
      FORBID_ATTR: ['style', 'class', 'id', 'name'],
      ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#|data:image\/)/i,
      RETURN_DOM_FRAGMENT: true,
    })
    for (const source of clean.querySelectorAll('source')) source.remove()
    for (const picture of clean.querySelectorAll('img')) showHere(picture)
    for (const link of clean.querySelectorAll('a')) {
      link.rel = 'noopener noreferrer'
      link.target = '_blank'
    }
    lowerHeadings(clean)
    for (const scroller of clean.querySelectorAll('pre')) scroller.tabIndex = 0
    const box = document.createElement('div')
    box.append(clean)
    return box.innerHTML
  }, [text])
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised two lines above.
  return <div className={styles.markdown} dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
}
