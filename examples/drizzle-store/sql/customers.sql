-- The existing table, as the application created it years ago.
CREATE TABLE customers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  login TEXT NOT NULL UNIQUE,
  mail TEXT,
  password TEXT NOT NULL,
  full_name TEXT,
  phone TEXT,
  blocked INTEGER NOT NULL DEFAULT 0,
  newsletter INTEGER NOT NULL DEFAULT 1,
  country TEXT NOT NULL DEFAULT 'GB',
  created TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
);
