import { pages } from '@fastify-accounts/pages'
import { demoApp } from '@fastify-accounts/test-support/providers/service'
import { it } from 'vitest'
import { browser } from './pages-app.js'

it('x', async () => {
  const service = await demoApp({}, { throttle: { limits: { loginWith: { max: 1, window: 60_000 } } } }, {}, [
    pages(),
  ])
  const visitor = browser(service.app)
  await visitor.open('/login/')
  console.log(visitor.page.html.match(/<form[^>]*with[\s\S]*?<\/form>/g))
  for (let i = 0; i < 2; i++) {
    const shown = await service.app.inject({
      method: 'POST',
      url: '/login/with/demo/',
      headers: {
        accept: 'text/html',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: 'next=%2F',
    })
    console.log(shown.statusCode, shown.headers.location, shown.body.match(/<main[\s\S]*<\/main>/)?.[0])
  }
  console.log((await visitor.open('/login/with/')).response.body.slice(0, 300))
})
