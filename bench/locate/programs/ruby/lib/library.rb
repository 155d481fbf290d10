# A public library: books, members, loans and fees.
require "library/fees"
require "library/search"
require "library/shelf"
require "library/desk"
require "library/statistics"
