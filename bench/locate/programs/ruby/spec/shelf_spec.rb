RSpec.describe Library::Shelf do
  it "keeps books by author and title, articles left out" do
    expect(shelf.map(&:label)).to eq(["ART 01", "LOW 10", "MIL 99", "PAR 15"])
  end

  it "orders an author's books by title" do
    shelf.add(Library::Book.new(isbn: "0-596-52068-9", title: "The Bell", author: "Eli Miller", year: 2007))
    shelf.add(Library::Book.new(isbn: "1-56619-909-3", title: "Sand", author: "Eli Miller", year: 1994))
    expect(shelf.by_author["Miller"].map(&:title)).to eq(["The Art of Tea", "The Bell", "Sand"])
  end

  it "finds a book by its old number" do
    expect(shelf["0306406152"].title).to eq("The Art of Tea")
  end

  it "takes no book with a wrong number" do
    wrong = { title: "X", author: "Y", year: 2000 }
    expect { Library::Book.new(isbn: "0306406153", **wrong) }.to raise_error(Library::InvalidBook)
    expect { Library::Book.new(isbn: "9783161484101", **wrong) }.to raise_error(Library::InvalidBook)
  end

  it "knows what stands beside a book" do
    expect(shelf.beside(Examples::ART).map(&:title)).to eq(["Tea Gardens", "A Film of Rain"])
    expect(shelf.beside(Examples::RIVERS).map(&:title)).to eq(["Tea Gardens"])
  end
end
