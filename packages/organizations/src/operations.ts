// Written from the routes of the plugin: `npm run routes`.
